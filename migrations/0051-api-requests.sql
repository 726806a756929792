-- What the API was asked, for as long as people may want to look it up: a partition for each day of real time, made ahead
-- by whoever writes, and dropped after a week. An id begins with the time of its request, so that it leads to its day, and
-- newest first is the order of ids.
create table api_requests (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- A token, or a session of the console.
  caller_id uuid not null,
  is_session boolean not null,
  method text not null,
  route text not null,
  path text not null,
  status integer not null,
  reason text,
  -- Masked, and cut where it was long.
  body text,
  is_body_cut boolean not null,
  duration_ms integer not null,
  at timestamptz not null,
  primary key (space_id, environment, id)
) partition by range (id);

-- The least id of a day.
create function api_request_day_start(p_day date) returns uuid language sql immutable strict parallel safe as $$
  select (regexp_replace(lpad(to_hex((extract(epoch from p_day) * 1000)::bigint), 12, '0'), '^(.{8})', '\1-')
    || '-0000-0000-000000000000')::uuid
$$;

-- Makes the partition of a day unless it is there, without locking out those who write.
create function create_api_request_partition(p_day date) returns void language plpgsql as $$
declare
  -- every space: a partition holds rows of all
  v_parent text := 'api_requests';
  v_name text := v_parent || '_' || to_char(p_day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(715011);
  if to_regclass(v_name) is not null then
    return;
  end if;
  execute format('create table %I (like %I including all)', v_name, v_parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_parent, v_name,
    api_request_day_start(p_day), api_request_day_start(p_day + 1));
end
$$;
