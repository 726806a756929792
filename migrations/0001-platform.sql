-- An environment of a Space. Every table is keyed by (space_id, environment, …).
create type environment as enum ('test', 'live');

-- One row per POST that was carried out, with its answer. Written in the transaction of the work itself.
create table idempotency_keys (
  space_id uuid not null,
  environment environment not null,
  key text collate "C" not null,
  -- SHA-256 of method, path and canonical body
  fingerprint bytea not null,
  answer text,
  -- retention is the operator's affair: real time
  created_at timestamptz not null default now(),
  primary key (space_id, environment, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- How far a Space's test clock is ahead of real time.
create table test_clocks (
  space_id uuid not null,
  environment environment not null check (environment = 'test'),
  offset_ms bigint not null check (offset_ms >= 0),
  primary key (space_id, environment)
);

-- Jobs that wait for a moment of their Space's clock.
create table scheduled_jobs (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity,
  due_at timestamptz not null,
  job text not null,
  payload jsonb not null,
  primary key (space_id, environment, id)
);
create index scheduled_jobs_due on scheduled_jobs (due_at);
create index scheduled_jobs_due_in_space on scheduled_jobs (space_id, environment, due_at);
