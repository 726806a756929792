create table payment_codes (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- 10 digits, of the directory below
  number text not null,
  mode text not null check (mode in ('one_time', 'recurrent')),
  status text not null check (status in ('pending', 'processing', 'completed', 'expired', 'cancelled')),
  name text not null,
  -- null: the payer types it
  amount bigint check (amount > 0),
  currency text not null,
  enabled boolean not null,
  customer_name text,
  reference text,
  authorized_providers text[],
  -- E.164
  authorized_phone_number text,
  -- What a recurrent code is to bring, times or money: whichever comes first.
  expected_count integer check (expected_count > 0),
  expected_total bigint check (expected_total > 0),
  financial_account_id uuid not null,
  paid_count integer not null,
  paid_total bigint not null,
  -- since the last payment or change
  failed_count integer not null,
  -- the last completed payment, as the API shows it
  processed json,
  metadata json not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check (authorized_providers is null or authorized_phone_number is null),
  check (mode = 'recurrent' or (expected_count is null and expected_total is null))
);
create index payment_codes_kind on payment_codes (space_id, environment, mode, status, id);

-- Every number that was ever given to a code, of all Spaces: a dial knows only digits, and none is given twice.
create table payment_code_numbers (
  number text primary key check (number ~ '^[0-9]{10}$'),
  environment environment not null,
  space_id uuid not null,
  payment_code_id uuid not null
);

-- The payments in flight.
create table payment_code_attempts (
  space_id uuid not null,
  environment environment not null,
  payment_code_id uuid not null,
  payment_id uuid not null,
  -- E.164
  phone_number text not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null,
  primary key (space_id, environment, payment_code_id, payment_id),
  foreign key (space_id, environment, payment_code_id) references payment_codes
);

-- A session bears one attempt at a time, whoever tries. Of a code the lock on its row decides how many.
drop index payments_in_flight;
create unique index payments_in_flight on payments (space_id, environment, origin_id)
  where status in ('pending', 'processing') and origin_type = 'checkout_session';
