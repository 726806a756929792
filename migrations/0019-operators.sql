-- What a person decided, for those who ask later. `at` is real time: it is about people, not about the Space's clock.
create table audit_entries (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  at timestamptz not null,
  -- in the operator's own words
  actor text not null,
  action text not null,
  object_type text not null,
  object_id uuid not null,
  reason text not null,
  details json not null,
  primary key (space_id, environment, id)
);
create index audit_entries_object on audit_entries (space_id, environment, object_type, object_id, id);
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- A payout that a person called completed may turn out not to have left.
alter table ledger_cases drop constraint ledger_cases_kind_check;
alter table ledger_cases add constraint ledger_cases_kind_check
  check (kind in ('success_after_failure', 'failure_after_success'));
-- The posting that took a closed case's money out of suspense; null when that happened elsewhere.
alter table ledger_cases add column closing_reference text;
alter table ledger_cases add check (closing_reference is null or closed_at is not null);
create unique index ledger_cases_closing_reference on ledger_cases (space_id, environment, closing_reference)
  where closing_reference is not null;
create index ledger_cases_open on ledger_cases (opened_at) where closed_at is null;
