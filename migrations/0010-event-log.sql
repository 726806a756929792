-- What was written with each change is a fact; what is told of it, in the order of commits, are events. Facts are cut
-- into partitions by a number that rises with every row, events and deliveries by a position that rises with every
-- event. Number and position begin a new partition each day by a jump to its first value: partition k begins at k * 2^40.
-- Nobody writes so much in a partition's time that the next one is reached without a jump.
alter table events rename to old_events;
alter table old_events rename constraint events_pkey to old_events_pkey;

create sequence event_numbers;
create table event_facts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  object_type text not null,
  object_id uuid,
  callback_state text,
  -- The resource exactly as GET showed it at that moment: our own JSON, never read by the database.
  data text,
  at timestamptz not null,
  types text[] not null,
  posting text,
  -- Before the number: a transaction that has begun to write later has higher numbers.
  xid xid8 not null default pg_current_xact_id(),
  number bigint not null default nextval('event_numbers'),
  primary key (space_id, environment, id, number),
  check (types = '{}' or (object_id is not null and data is not null)),
  check (types <> '{}' or posting is not null)
) partition by range (number);
create index event_facts_number on event_facts (number);

-- What is told, one row an event, by the one sequencer.
create table events (
  space_id uuid not null,
  environment environment not null,
  position bigint not null,
  -- 1, 2, 3, … in the Space and environment
  sequence bigint not null,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  fact_id uuid not null,
  fact_number bigint not null,
  at timestamptz not null,
  -- The latest `at` up to here in the Space and environment: it never falls, so that a time leads to a position.
  latest_at timestamptz not null,
  primary key (space_id, environment, position)
) partition by range (position);
create index events_id on events (space_id, environment, id);
create index events_object on events (space_id, environment, object_id, position);
create index events_type on events (space_id, environment, type, position);

-- How far each Space and environment has come.
create table event_counters (
  space_id uuid not null,
  environment environment not null,
  sequence bigint not null,
  latest_at timestamptz not null,
  primary key (space_id, environment)
);

-- The one row that whoever sequences has locked. Every fact that is visible in `told` has its events.
create table event_sequencer (
  is_only boolean primary key default true check (is_only),
  told pg_snapshot not null,
  -- Being told: what is visible in `telling` and not in `told`, up to number `telling_after`.
  telling pg_snapshot,
  telling_after bigint not null default 0,
  -- Facts up to here are told, or were rolled back.
  settled bigint not null default 0,
  -- Once all transactions before `mark_xid` have ended, facts up to `mark` are settled.
  mark bigint not null default 0,
  mark_xid xid8 not null,
  position bigint not null default 0
);

create table event_partitions (
  number integer primary key,
  -- real time: retention is the operator's affair
  began_at timestamptz
);

-- The first number and position of a partition.
create function event_partition_start(p_number integer) returns bigint language sql immutable strict parallel safe as $$
  select p_number::bigint << 40
$$;

-- Makes the partition `p_number` of all three, without locking out those who write.
create function create_event_partition(p_number integer) returns void language plpgsql as $$
declare
  v_parent text;
begin
  -- every space: a partition holds rows of all
  foreach v_parent in array array['event_facts', 'events', 'webhook_deliveries'] loop
    -- Deliveries are changed soon after they were made, in the room that is left on their page.
    execute format('create table %I (like %I including all) with (fillfactor = %s)', v_parent || '_' || p_number,
      v_parent, case v_parent when 'webhook_deliveries' then 70 else 100 end);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', v_parent,
      v_parent || '_' || p_number, event_partition_start(p_number), event_partition_start(p_number + 1));
  end loop;
  insert into event_partitions (number) values (p_number);
end
$$;

-- Where events are told to.
create table webhooks (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  name text not null,
  api_release text not null,
  url text not null,
  -- names, `payment.*` or `*`
  subscriptions text[] not null,
  enabled boolean not null,
  headers json not null,
  alert_emails text[] not null,
  verification text not null check (verification in ('HS256', 'ED25519')),
  -- Encrypted; with ED25519 the private key.
  secret bytea not null,
  public_key text,
  -- Signs beside the new one until `old_secret_until`.
  old_secret bytea,
  old_secret_until timestamptz,
  metadata json not null,
  -- Since when nothing has succeeded; null: the last attempt did, or none was made.
  failing_since timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (space_id, environment, id)
);

-- One event for one endpoint. `id` is made of both, so that a delivery cannot be made twice.
create table webhook_deliveries (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  webhook_id uuid not null,
  position bigint not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- null: none is to be made
  next_attempt_at timestamptz,
  -- since it was made, or last sent again by hand
  tries integer not null default 0,
  -- every attempt, as GET shows it
  attempts jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (space_id, environment, id, position),
  check ((status = 'pending') = (next_attempt_at is not null))
) partition by range (position);
create index webhook_deliveries_webhook on webhook_deliveries (space_id, environment, webhook_id, id);
create index webhook_deliveries_failed on webhook_deliveries (space_id, environment, webhook_id, id)
  where status = 'failed';
create index webhook_deliveries_due on webhook_deliveries (space_id, environment, webhook_id, next_attempt_at, position)
  where status = 'pending';

select create_event_partition(number) from generate_series(0, 1) as number;
update event_partitions set began_at = now() where number = 0;

-- The id of the nth event that a fact tells; the first has the fact's own.
create function event_id(p_fact uuid, p_nth bigint) returns uuid language sql immutable strict parallel safe as $$
  select (left(p_fact::text, 34)
    || lpad(to_hex((('x' || right(p_fact::text, 2))::bit(8)::int + p_nth::int - 1) % 256), 2, '0'))::uuid
$$;

-- The id of an event's delivery to an endpoint, of the event's own moment.
create function delivery_id(p_event uuid, p_webhook uuid) returns uuid language sql immutable strict parallel safe as $$
  select (left(p_event::text, 14) || '7' || substr(hash, 1, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12))::uuid
  from (select md5(p_event::text || p_webhook::text) as hash) hashed
$$;

-- The lines of a posting that merchants see, in their order.
create function ledger_told_lines(p_space_id uuid, p_environment environment, p_reference text)
returns table (id uuid, place bigint) language sql stable as $$
  select id, row_number() over (order by id) from ledger_lines
  where space_id = p_space_id and environment = p_environment and reference = p_reference and is_financial
    and id between ledger_reference_start(p_reference) and ledger_reference_end(p_reference)
$$;

-- From which position on an event of this time or later can stand: all before are older. Found by halves, since
-- `latest_at` never falls.
create function events_floor(p_space_id uuid, p_environment environment, p_since timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_low bigint; v_high bigint; v_middle bigint; v_latest timestamptz; v_found bigint;
begin
  select position into v_low from events
  where space_id = p_space_id and environment = p_environment order by position limit 1;
  select position + 1 into v_high from events
  where space_id = p_space_id and environment = p_environment order by position desc limit 1;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select position, latest_at into v_found, v_latest from events
    where space_id = p_space_id and environment = p_environment and position >= v_middle order by position limit 1;
    if v_latest < p_since then
      v_low := v_found + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end
$$;

create or replace function event_data(p_space_id uuid, p_environment environment, p_id uuid) returns text
language sql stable strict parallel safe as $$
  select data from event_facts where space_id = p_space_id and environment = p_environment and id = p_id
$$;

insert into event_facts (space_id, environment, id, object_type, object_id, callback_state, data, at, types, posting)
select space_id, environment, id, object_type, object_id, callback_state, data, at, types, posting from old_events
order by at, id;
drop table old_events;
-- What this migration wrote is not visible in its snapshot, and so is told first.
insert into event_sequencer (told, mark_xid) values (pg_current_snapshot(), pg_snapshot_xmax(pg_current_snapshot()));
