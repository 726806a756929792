-- What each proof of all the books found. It is about all Spaces at once and so belongs to none.
create table proofs (
  id bigint generated always as identity primary key,
  -- the operator's affair: real time
  started_at timestamptz not null,
  ended_at timestamptz not null,
  is_ok boolean not null,
  lines bigint not null check (lines >= 0),
  -- as many as were told: at most 20 of a check
  differences integer not null check (differences >= 0),
  check (is_ok = (differences = 0))
);

-- A proof of what is new finds by their references, which begin with the time, what was completed since.
create index internal_transfers_executed on internal_transfers (space_id, environment, ledger_reference)
  where execute_at is not null;
create unique index ledger_cases_reference on ledger_cases (space_id, environment, reference);
