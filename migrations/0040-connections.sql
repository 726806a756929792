-- A provider may have several connections: what was sent keeps the one that it was sent under. Before they had names it was
-- the provider's first.
alter table instructions add column connection text;

-- What connections do not take for a while, in words for those who wait. Kept for ever: it also says who decided.
create table connection_pauses (
  id uuid primary key,
  environment environment not null,
  connection text not null,
  -- None: all that the connection reaches.
  provider_id text,
  direction text not null check (direction in ('collect', 'pay_out')),
  words text not null,
  paused_by text not null,
  paused_at timestamptz not null,
  -- When it ends by itself.
  ends_at timestamptz,
  resumed_by text,
  resumed_at timestamptz,
  check ((resumed_by is null) = (resumed_at is null))
);
create unique index connection_pauses_in_force on connection_pauses
  (environment, connection, coalesce(provider_id, ''), direction) where resumed_at is null;

-- Which connections some node leaves alone, and until when, by the database's clock.
create table connection_rests (
  environment environment not null,
  connection text not null,
  provider_id text not null,
  kind text not null check (kind in ('collect', 'disburse')),
  until timestamptz not null,
  primary key (environment, connection, provider_id, kind)
);
