-- no transaction
-- Personal data of payers and payees: how long it is kept, legal holds, and requests by a person to receive or erase it.
create table if not exists retention_periods (
  space_id uuid not null,
  environment environment not null,
  class text not null,
  days integer not null,
  constraint retention_periods_pkey primary key (space_id, environment, class),
  constraint retention_periods_days_check check (days > 0)
);
-- How far the daily job has come in each type of object, in the order of their ids.
create table if not exists retention_progress (
  space_id uuid not null,
  environment environment not null,
  type text not null,
  erased_to text not null,
  constraint retention_progress_pkey primary key (space_id, environment, type)
);
-- Objects before that point whose personal data had to be kept. They are tried again every day.
create table if not exists retention_exceptions (
  space_id uuid not null,
  environment environment not null,
  type text not null,
  key text not null,
  constraint retention_exceptions_pkey primary key (space_id, environment, type, key)
);
create table if not exists legal_holds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  person_hash text,
  person_mask text,
  reason text not null,
  placed_by text not null,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  lifted_by text,
  lifted_at timestamp with time zone,
  lifting_reason text,
  constraint legal_holds_pkey primary key (space_id, environment, id),
  constraint legal_holds_person_check check ((person_hash is null) = (person_mask is null)),
  constraint legal_holds_lifted_check check (num_nonnulls(lifted_by, lifted_at, lifting_reason) in (0, 3))
);
create index if not exists legal_holds_open on legal_holds (space_id, environment, id) where lifted_at is null;
create table if not exists personal_data_exports (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  person bytea,
  person_hash text not null,
  person_mask text not null,
  reason text not null,
  found jsonb not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint personal_data_exports_pkey primary key (space_id, environment, id)
);
create index if not exists personal_data_exports_expiry on personal_data_exports (expires_at) where person is not null;
create table if not exists personal_data_erasures (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  person bytea,
  person_hash text not null,
  person_mask text not null,
  reason text not null,
  erasable jsonb not null,
  erased jsonb not null,
  kept jsonb not null,
  type text,
  erased_to text,
  next_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  confirmed_by text,
  confirmed_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  constraint personal_data_erasures_pkey primary key (space_id, environment, id),
  constraint personal_data_erasures_status_check
    check (status in ('pending', 'processing', 'waiting', 'completed', 'cancelled')),
  constraint personal_data_erasures_person_check check ((person is null) = (status in ('completed', 'cancelled'))),
  constraint personal_data_erasures_confirmed_check
    check ((confirmed_at is not null) = (status in ('processing', 'waiting', 'completed')))
);
create index if not exists personal_data_erasures_waiting on personal_data_erasures (space_id, environment, id) where status = 'waiting';
create index concurrently if not exists ussd_otps_phone on ussd_otps (space_id, environment, phone_number, id);
create index concurrently if not exists payment_codes_phone on payment_codes (space_id, environment, authorized_phone_number, id) where authorized_phone_number is not null;
create index concurrently if not exists payout_batch_rows_payee on payout_batch_rows (space_id, environment, payee_account, batch_id, number);
create index concurrently if not exists bill_payments_payer on bill_payments (space_id, environment, payer_account, id) where space_id is not null and payer_account is not null;
-- Personal data is also erased from sessions and OTPs, so these need a function for marked changes, too.
create or replace function checkout_session_seal(s checkout_sessions, out terms bytea, out outcome bytea)
language sql stable set timezone = 'UTC' set datestyle = 'ISO'
as $$
  select digest_of(checkout_session_terms(s)), digest_of(checkout_session_outcome(s))
$$;
create or replace function ussd_otp_seal(o ussd_otps, out terms bytea, out outcome bytea)
language sql stable set timezone = 'UTC' set datestyle = 'ISO'
as $$
  select digest_of(ussd_otp_terms(o)), digest_of(ussd_otp_outcome(o))
$$;
