-- What a payment is for: one order may see several attempts to pay it.
create table orders (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- 12 digits
  number text not null,
  name text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  created_at timestamptz not null,
  primary key (space_id, environment, id)
);
create unique index orders_number on orders (space_id, environment, number);

-- Parts per million of a payment, and the least that is taken, per currency in minor units: {"SLE": "50"}.
create table fee_rules (
  space_id uuid not null,
  environment environment not null,
  code text not null check (code in ('payment')),
  ppm integer not null check (ppm between 0 and 1000000),
  minimums jsonb not null default '{}',
  primary key (space_id, environment, code)
);

create table payments (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  name text not null,
  reference text,
  order_id uuid not null,
  order_number text not null,
  -- What the payment was made through: [{"id", "type"}]
  origin_type text not null check (origin_type in ('checkout_session', 'payment_code')),
  origin_id uuid not null,
  financial_account_id uuid not null,
  channel_type text not null check (channel_type in ('momo', 'bank', 'wallet', 'card')),
  provider_id text not null,
  -- E.164 for momo
  payer_account text not null,
  payer_fingerprint text not null,
  -- How far the rail has it: created → submitting → submitted | unknown → succeeded | failed
  rail_state text not null check (rail_state in
    ('created', 'submitting', 'submitted', 'unknown', 'succeeded', 'failed')),
  -- Ours, made before the call: the rail's idempotency key.
  rail_reference uuid not null,
  rail_transaction text,
  submitted_at timestamptz,
  ledger_reference text,
  -- [{"code", "amount"}], amounts as text
  fees jsonb not null default '[]',
  failure_code text,
  failure_message text,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null))
);
-- At most one attempt in flight per thing to pay, whoever tries.
create unique index payments_in_flight on payments (space_id, environment, origin_id)
  where status in ('pending', 'processing');
create index payments_origin on payments (space_id, environment, origin_id);
create index payments_order on payments (space_id, environment, order_number);
create index payments_account on payments (space_id, environment, financial_account_id, id);
create unique index payments_ledger_reference on payments (space_id, environment, ledger_reference);
create unique index payments_rail_reference on payments (space_id, environment, rail_reference);
