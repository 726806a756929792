-- Facts that the sequencer has met and has not told yet, because their Space has more of them than its turn allows: in
-- the order in which they will be told. Usually there are none.
create table event_backlog (
  space_id uuid not null,
  environment environment not null,
  place bigint not null generated always as identity,
  fact_id uuid not null,
  fact_number bigint not null,
  -- About how many rows it takes to tell: events, and their deliveries.
  weight integer not null,
  -- real time: what waits for how long is the operator's affair
  met_at timestamptz not null default now(),
  primary key (space_id, environment, place)
);
