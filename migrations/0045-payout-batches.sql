-- Payouts that are checked, approved and created together.
create table payout_batches (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'rejected', 'cancelled')),
  name text not null,
  -- The account that pays; none: the main account of each currency.
  financial_account_id uuid,
  row_count integer not null check (row_count > 0),
  -- By currency, in minor units.
  sums jsonb not null,
  created_by uuid not null,
  -- None where none was needed.
  approval text check (approval in ('required', 'approved', 'rejected')),
  approval_user_id uuid,
  approval_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check ((approval_user_id is null) = (approval_at is null)),
  check ((approval in ('approved', 'rejected')) = (approval_user_id is not null)),
  check (approval_user_id <> created_by),
  check ((status in ('pending', 'cancelled')) = (approval is not distinct from 'required')),
  check ((status = 'rejected') = (approval is not distinct from 'rejected'))
);
create index payout_batches_status on payout_batches (space_id, environment, status, id);

-- A row is what was requested; it becomes a payout once the batch needs nobody's approval any more.
create table payout_batch_rows (
  space_id uuid not null,
  environment environment not null,
  batch_id uuid not null,
  -- From 1.
  number integer not null check (number > 0),
  amount bigint not null check (amount > 0),
  currency text not null,
  destination_type text not null,
  provider_id text not null,
  payee_account text not null,
  name text,
  reference text,
  metadata json not null,
  primary key (space_id, environment, batch_id, number),
  foreign key (space_id, environment, batch_id) references payout_batches
);

alter table payouts add column batch_id uuid;
alter table payouts add column batch_row integer;
alter table payouts add constraint payouts_batch_check check ((batch_id is null) = (batch_row is null));
-- No row becomes two payouts.
create unique index payouts_batch_row on payouts (space_id, environment, batch_id, batch_row) where batch_id is not null;
-- The payouts of a batch, newest first; and what it has come to is counted along it.
create index payouts_batch on payouts (space_id, environment, batch_id, id)
  include (status, currency, amount) where batch_id is not null;

-- What was paid to an account of any type, not of phones only.
create index payouts_payee on payouts (space_id, environment, payee_account, id);
drop index payouts_phone;

-- The open holds of an account, newest first.
drop index ledger_holds_open;
create index ledger_holds_open on ledger_holds (space_id, environment, account_id, id) where captured + released < amount;
