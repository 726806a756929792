-- Whoever runs the installation: what only they may do belongs to no Space.
alter table users add column is_operator boolean not null default false;

-- A suspended Space takes no calls and no new payments.
alter table spaces add column suspended_at timestamptz;
alter table spaces add column suspended_by text;
alter table spaces add column suspension_reason text;
alter table spaces add constraint spaces_suspension_check
  check (num_nonnulls(suspended_at, suspended_by, suspension_reason) in (0, 3));
create index spaces_suspended on spaces (id) where suspended_at is not null;

-- The processes that serve or work. Whether one lives, an advisory lock of its number says.
create table nodes (
  node integer primary key,
  version text not null,
  serves boolean not null,
  works boolean not null,
  started_at timestamptz not null default now(),
  stopped_at timestamptz
);

-- Who imported a statement over the API.
alter table statements add column imported_by text;

-- What each check of a proof found: its name, how many rows it examined, how many differences it named.
alter table proofs add column checks jsonb not null default '[]';

create index webhooks_failing on webhooks (space_id, environment, id)
  where (failing_since is not null or disabled_reason is not null) and deleted_at is null;

-- How a connection did, in ten minutes each: payments, or payouts and refunds, that ended; calls by how long they took; the
-- last report of the rail.
create table connection_tallies (
  environment environment not null,
  connection text not null,
  provider_id text not null,
  direction text not null check (direction in ('collect', 'pay_out')),
  begun_at timestamptz not null,
  succeeded integer not null,
  failed integer not null,
  calls integer[] not null,
  reported_at timestamptz,
  primary key (environment, connection, provider_id, direction, begun_at)
);

-- What is on our accounts at rails of live, and what the books say is there, as it was last read.
create table connection_floats (
  connection text not null,
  side text not null check (side in ('rail', 'books')),
  account text not null,
  currency text not null,
  amount bigint not null,
  read_at timestamptz not null,
  primary key (connection, side, account, currency)
);
