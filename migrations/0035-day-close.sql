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

-- What was debited to a clearing account came in at the provider, what was credited went out, whatever the account is for: a
-- line that is not matched has that direction and a positive amount, as a statement shows it.
update open_clearing_lines
set amount = -amount, direction = case direction when 'collection' then 'disbursement' else 'collection' end
where amount < 0;
alter table open_clearing_lines add constraint open_clearing_lines_amount_check check (amount > 0);
drop index statement_lines_matched;
create unique index statement_lines_matched on statement_lines (space_id, environment, account_id, seq)
  include (amount, direction) where space_id is not null;
create index statement_lines_moved on statement_lines (provider_id, environment, moved_at);

-- Days of a provider that a person signed: what its statements show of one currency, what the books do, and all of the
-- difference. They are about the operator's account at a provider, which all Spaces share, and so belong to none.
create table closed_days (
  id bigint generated always as identity primary key,
  provider_id text not null,
  environment environment not null,
  day date not null,
  currency text not null,
  -- the day as it is in the provider's country
  from_at timestamptz not null,
  until_at timestamptz not null,
  stated_lines bigint not null,
  stated_in bigint not null,
  stated_out bigint not null,
  booked_lines bigint not null,
  booked_in bigint not null,
  booked_out bigint not null,
  -- [{"side", "cause", "direction", "lines", "amount"}]: which lines of one side are not on this day of the other, and why
  differences json not null,
  -- the operator's affair: real time
  closed_at timestamptz not null,
  closed_by text not null,
  reason text not null,
  reopened_at timestamptz,
  reopened_by text,
  reopening_reason text,
  check (from_at < until_at),
  check (num_nonnulls(reopened_at, reopened_by, reopening_reason) in (0, 3))
);
create unique index closed_days_closed on closed_days (provider_id, environment, day, currency) where reopened_at is null;

-- Money between a provider and the operator's account at a bank: what a provider paid out of what it had collected, and float that
-- was topped up. Its other side stands in the Space's books as the account `bank`.
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('financial', 'clearing', 'fees', 'suspense', 'funding', 'elsewhere', 'bank'));

create table settlements (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null check (kind in ('payout_to_bank', 'float_top_up')),
  provider_id text not null,
  -- of the clearing account
  direction text not null check (direction in ('collection', 'disbursement')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- the bank's, as its statement shows it
  bank_reference text not null,
  -- 2026-11-20: the day by the bank
  value_date text not null check (value_date ~ '^\d{4}-\d\d-\d\d$'),
  note text,
  -- may be more than the provider owed
  is_advance boolean not null,
  -- a user's id, or the operator's own words
  created_by text not null,
  ledger_reference text not null,
  created_at timestamptz not null,
  reversed_at timestamptz,
  reversed_by text,
  reversal_reason text,
  reversal_reference text,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check (kind <> 'float_top_up' or direction = 'disbursement'),
  check (num_nonnulls(reversed_at, reversed_by, reversal_reason, reversal_reference) in (0, 4))
);
-- The same bank entry is booked once.
create unique index settlements_booked on settlements (space_id, environment, provider_id, direction, bank_reference)
  where reversed_at is null;
create unique index settlements_ledger_reference on settlements (space_id, environment, ledger_reference);
create unique index settlements_reversal_reference on settlements (space_id, environment, reversal_reference);
create index settlements_bank_reference on settlements (space_id, environment, bank_reference, id);
