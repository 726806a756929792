-- Open items that a person closed. Such an item is open no longer and is never matched; nobody removes it. It is the line
-- of a statement, a line of a clearing account, or both where their amounts differ.
create table item_closings (
  id bigint generated always as identity primary key,
  provider_id text not null,
  environment environment not null,
  line_id text,
  space_id uuid,
  account_id uuid,
  seq bigint,
  -- what it was when it was closed
  state text not null check (state in ('amount_differs', 'missing_here', 'missing_there')),
  -- the operator's affair: real time
  closed_at timestamptz not null,
  closed_by text not null,
  reason text not null,
  check (num_nonnulls(space_id, account_id, seq) in (0, 3)),
  check (num_nonnulls(line_id, seq) > 0)
);
create unique index item_closings_stated on item_closings (provider_id, environment, line_id) where line_id is not null;
create unique index item_closings_booked on item_closings (space_id, environment, account_id, seq) where seq is not null;
create trigger item_closings_append_only before update or delete or truncate on item_closings
  for each statement execute function refuse_change();

-- The service's account for the money of cases that was settled by another way: in cash, or from an account at a bank.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('financial', 'clearing', 'fees', 'suspense', 'funding', 'elsewhere'));
