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

-- One reference, one object; and a proof finds by them what was completed since a moment, for they begin with the time.
create unique index internal_transfers_ledger_reference on internal_transfers
  (space_id, environment, ledger_reference);
create unique index ledger_cases_reference on ledger_cases (space_id, environment, reference);
