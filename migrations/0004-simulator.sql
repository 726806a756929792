-- The provider simulator of the test environment. It plays the outside world: its rows belong to no Space, and nothing
-- of the service itself ever reads them.

-- Collections as the rail knows them. Money moved exactly where moved_at is set.
create table simulator_collections (
  provider_id text not null,
  reference uuid not null,
  msisdn text not null,
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
  -- a prompt waits on the handset for a person's answer, until then
  asks_until timestamptz check (asks_until is null or status = 'PENDING'),
  financial_transaction_id bigint unique,
  moved_at timestamptz,
  created_at timestamptz not null,
  primary key (provider_id, reference),
  check ((moved_at is not null) = (status = 'SUCCESSFUL')),
  check ((financial_transaction_id is not null) = (status = 'SUCCESSFUL'))
);
create index simulator_collections_asking on simulator_collections (msisdn, created_at) where asks_until is not null;
create sequence simulator_financial_transactions start 1000000001;

-- What becomes of a collection, and when. A row is gone once it has happened.
create table simulator_outcomes (
  id bigint generated always as identity primary key,
  provider_id text not null,
  reference uuid not null,
  due_at timestamptz not null,
  status text not null check (status in ('SUCCESSFUL', 'FAILED')),
  reason text check ((reason is not null) = (status = 'FAILED')),
  callbacks integer not null
);
create index simulator_outcomes_due on simulator_outcomes (due_at, id);
create index simulator_outcomes_collection on simulator_outcomes (provider_id, reference);

-- Callbacks to send. A row is gone once it was tried: the rail tries once.
create table simulator_callbacks (
  id bigint generated always as identity primary key,
  url text not null,
  body text not null
);

-- Handsets that do not approve by themselves.
create table simulator_handsets (
  msisdn text primary key,
  mode text not null check (mode in ('approve', 'ask'))
);
