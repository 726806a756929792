-- What the simulated rails paid out. Money moved exactly where moved_at is set.
create table simulator_disbursements (
  provider_id text not null,
  reference uuid not null,
  protocol text not null check (protocol in ('mtn-momo', 'rest')),
  payee text not null,
  -- as it was sent, and what it means in minor units
  amount text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  external_id text not null,
  payer_message text not null,
  payee_note text not null,
  callback_url text,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCESSFUL', 'FAILED')),
  reason text check ((reason is not null) = (status = 'FAILED')),
  financial_transaction_id bigint unique,
  moved_at timestamptz,
  created_at timestamptz not null,
  primary key (provider_id, reference),
  check ((moved_at is not null) = (status = 'SUCCESSFUL')),
  check ((financial_transaction_id is not null) = (status = 'SUCCESSFUL'))
);

-- One plan for both: an outcome says which table it is about.
alter table simulator_outcomes
  add column kind text not null default 'collection' check (kind in ('collection', 'disbursement'));
