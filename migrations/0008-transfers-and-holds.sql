-- Money between two accounts of the merchant's own.
create table internal_transfers (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  source_account_id uuid not null,
  destination_account_id uuid not null check (destination_account_id <> source_account_id),
  description text,
  -- null: at once
  execute_at timestamptz,
  ledger_reference text,
  failure_code text,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null))
);

-- Money of an account that is reserved: it is still posted there, and no longer available.
create table ledger_holds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  account_id uuid not null,
  amount bigint not null check (amount > 0),
  captured bigint not null default 0 check (captured >= 0),
  released bigint not null default 0 check (released >= 0),
  -- What it was made for: {"id", "type"}
  owner json not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  -- Open for as long as a part is neither captured nor released.
  check (captured + released <= amount)
);
create index ledger_holds_open on ledger_holds (space_id, environment, account_id) where captured + released < amount;
