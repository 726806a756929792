-- Money that leaves: from an account of the merchant's to a bank account, a phone or a wallet.
create table payouts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- On top of the amount: [{"code", "amount"}], amounts as text
  fees jsonb not null default '[]',
  financial_account_id uuid not null,
  destination_type text not null check (destination_type in ('bank', 'momo', 'wallet')),
  provider_id text not null,
  -- E.164 for momo, an account number, a wallet id
  payee_account text not null,
  -- awaiting_approval → queued → submitting → submitted | unknown → succeeded | failed
  rail_state text not null check (rail_state in
    ('awaiting_approval', 'queued', 'submitting', 'submitted', 'unknown', 'succeeded', 'failed')),
  -- Ours, made before the call: the rail's idempotency key.
  rail_reference uuid not null,
  rail_transaction text,
  -- Amount and fees, for as long as it is not known how it ends; none when there was too little money.
  hold_id uuid,
  ledger_reference text,
  submitted_at timestamptz,
  -- When the rail's answer to the submit was recorded, or that there was none.
  answered_at timestamptz,
  delayed_at timestamptz,
  failure_code text,
  failure_message text,
  created_by uuid not null,
  -- null: none was needed
  approval text check (approval in ('required', 'approved', 'rejected')),
  approval_user_id uuid,
  approval_at timestamptz,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null)),
  check ((status = 'pending') = (rail_state in ('awaiting_approval', 'queued'))),
  check ((status = 'completed') = (rail_state = 'succeeded')),
  check ((status = 'failed') = (rail_state = 'failed')),
  check (status = 'failed' or hold_id is not null),
  check ((approval in ('approved', 'rejected')) = (approval_user_id is not null)),
  check ((approval_user_id is null) = (approval_at is null)),
  check (approval_user_id <> created_by)
);
create index payouts_status on payouts (space_id, environment, status, id);
create index payouts_account on payouts (space_id, environment, financial_account_id, id);
create index payouts_rail_transaction on payouts (space_id, environment, rail_transaction, id)
  where rail_transaction is not null;
-- Neither can be taken for the primary key, whatever the planner guesses of a Space that has grown.
create unique index payouts_ledger_reference on payouts (space_id, environment, ledger_reference)
  where ledger_reference is not null;
create unique index payouts_rail_reference on payouts (rail_reference, space_id, environment);
-- A lane sends what waits for one provider, of every Space, in order of creation.
create index payouts_lane on payouts (environment, provider_id, id) where rail_state = 'queued';
-- What a rail has and has not told the end of.
create index payouts_open on payouts (space_id, environment, id)
  where rail_state in ('submitting', 'submitted', 'unknown');

-- From which amount on another user has to approve a payout: one that is above it.
create table payout_approvals_above (
  space_id uuid not null,
  environment environment not null,
  currency text not null,
  amount bigint not null check (amount >= 0),
  primary key (space_id, environment, currency)
);

alter table fee_rules drop constraint fee_rules_code_check;
alter table fee_rules add constraint fee_rules_code_check check (code in ('payment', 'payout'));

-- What left after its payout had been called failed is missing there until a person decides.
update ledger_accounts set allows_negative = true where kind = 'suspense';
