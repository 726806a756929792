-- What happened, written in the transaction that made it happen.
create table events (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  type text not null,
  object_type text not null,
  object_id uuid not null,
  callback_state text,
  -- The resource exactly as GET showed it at that moment.
  data json not null,
  at timestamptz not null,
  primary key (space_id, environment, id)
);
