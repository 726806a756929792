-- no transaction
-- Tables with a row for each payment are divided into a partition for each month of the time in their ids. The rows of a
-- table that is in use stay where they are: it becomes the partition of the time until a month begins in the near future.
-- See docs/decisions/0257-month-partitions.md.

create or replace function month_start(p_month date) returns uuid
language sql immutable strict parallel safe as $$
  select (regexp_replace(lpad(to_hex((extract(epoch from p_month) * 1000)::bigint), 12, '0'), '^(.{8})', '\1-')
    || '-0000-0000-000000000000')::uuid
$$;

-- Creates a table with the columns, their options, and the constraints, indexes and triggers of another. The names of indexes
-- begin with that of the new table.
create or replace function create_alike(p_table text, p_model text, p_name text) returns void
language plpgsql as $$
declare
  v_text text; v_constraint text; v_name text;
begin
  execute format('create table %I (like %I including all excluding indexes)', p_name, p_model);
  for v_text, v_constraint, v_name in
    select pg_get_indexdef(indexrelid), pg_get_constraintdef(key.oid),
      p_name || substr(part.relname, 1 + length(substring(part.relname from '^' || p_table || '(?:_after)?')))
    from pg_index join pg_class part on part.oid = indexrelid
    left join pg_constraint key on key.conindid = indexrelid and key.conrelid = indrelid
    -- While a table is empty, all its indexes cost the same, and PostgreSQL prefers the one that was created last.
    where indrelid = p_model::regclass order by part.oid
  loop
    if v_constraint is not null then
      execute format('alter table %I add constraint %I %s', p_name, v_name, v_constraint);
    else
      execute regexp_replace(v_text, '^(CREATE (?:UNIQUE )?INDEX) \S+ ON (?:ONLY )?\S+', format('\1 %I ON %I', v_name, p_name));
    end if;
  end loop;
  for v_name, v_text in
    select attname, array_to_string(attoptions, ', ') from pg_attribute
    where attrelid = p_model::regclass and attnum > 0 and attoptions is not null
  loop
    execute format('alter table %I alter column %I set (%s)', p_name, v_name, v_text);
  end loop;
  for v_text in
    select pg_get_triggerdef(oid) from pg_trigger where tgrelid = p_model::regclass and not tgisinternal
      and tgname !~ '_while_divided$'
  loop
    execute regexp_replace(v_text, ' ON \S+ ', format(' ON %I ', p_name));
  end loop;
end $$;

-- Waits at most this long for a lock for which later statements would have to wait.
create or replace function limit_lock_wait() returns void
language sql as $$
  select set_config('lock_timeout', '50ms', true)
$$;

create or replace function refuse_while_divided() returns trigger
language plpgsql as $$
begin
  raise exception 'ids this far in the future are not accepted until pesewa migrate has finished'
    using errcode = 'cannot_connect_now';
end $$;

-- The column by which a table is divided.
create or replace function month_column(p_table text) returns text
language sql stable strict as $$
  select attname::text from pg_partitioned_table
  join pg_attribute on attrelid = partrelid and attnum = partattrs[0] where partrelid = to_regclass(p_table)
$$;

-- The first month that the last partition, which has no end, covers. Null if there are no months yet.
create or replace function months_end(p_table text) returns date
language sql stable strict as $$
  select (timestamp 'epoch' + ('x' || left(digits, 12))::bit(48)::bigint * interval '1 millisecond')::date from (
    select replace(substring(pg_get_expr(relpartbound, oid) from 'FROM \(''([0-9a-f-]+)''\)'), '-', '') as digits
    from pg_class where oid = to_regclass(p_table || '_after')
  ) bound
$$;

-- Creates the partitions of all months before p_end, which is the first day of a month. Takes a few milliseconds, during which the
-- table cannot be used, and longer only if the last partition has many rows. If there are no months yet, they begin with p_first.
create or replace function make_months(p_table text, p_first date, p_end date) returns void
language plpgsql as $$
declare
  v_after text := p_table || '_after';
  v_column text := month_column(p_table);
  v_begin date := months_end(p_table);
  v_month date; v_name text; v_names text[] := '{}'; v_from text[] := '{}'; v_to text[] := '{}';
begin
  if v_begin >= p_end then
    return;
  end if;
  if v_begin is null then
    v_begin := p_first;
    v_names := array[p_table || '_before'];
    v_from := array['minvalue'];
    v_to := array[quote_literal(month_start(p_first))];
  end if;
  for v_month in select generate_series(v_begin, p_end - interval '1 month', interval '1 month')::date loop
    v_names := v_names || (p_table || to_char(v_month, '_YYYY_MM'));
    v_from := v_from || quote_literal(month_start(v_month));
    v_to := v_to || quote_literal(month_start((v_month + interval '1 month')::date));
  end loop;
  -- every space: a partition holds rows of all Spaces
  foreach v_name in array v_names loop
    perform create_alike(p_table, v_after, v_name);
  end loop;

  perform limit_lock_wait();
  execute format('alter table %I detach partition %I', p_table, v_after);
  execute format('alter table %I disable trigger user', v_after);
  for i in 1 .. cardinality(v_names) loop
    execute format('alter table %I disable trigger user', v_names[i]);
    execute format('with moved as (delete from %I where %s %I < %s returning *) insert into %I select * from moved',
      v_after, case when v_from[i] <> 'minvalue' then format('%I >= %s and', v_column, v_from[i]) else '' end, v_column, v_to[i],
      v_names[i]);
    execute format('alter table %I enable trigger user', v_names[i]);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', p_table, v_names[i], v_from[i], v_to[i]);
  end loop;
  execute format('alter table %I enable trigger user', v_after);
  execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', p_table, v_after, month_start(p_end));
end $$;

-- The steps of divide_by_month. Each takes a few milliseconds, except checking the rows, which blocks nobody.

-- Creates the last partition, and makes the table show its rows, too.
create or replace function begin_division(p_table text, p_column text, p_bound uuid) returns void
language plpgsql as $$
begin
  perform limit_lock_wait();
  execute format('lock table %I in share row exclusive mode', p_table);
  perform create_alike(p_table, p_table, p_table || '_after');
  execute format('alter table %I inherit %I', p_table || '_after', p_table);
  execute format('create trigger %I before insert on %I for each row when (new.%I >= %L) execute function refuse_while_divided()',
    p_table || '_while_divided', p_table, p_column, p_bound);
end $$;

-- Moves rows whose ids lie after the bound: those of test Spaces whose clock is ahead.
create or replace function move_later_rows(p_table text, p_column text, p_bound uuid) returns void
language plpgsql as $$
declare
  v_space uuid; v_environment environment; v_spaces uuid[] := '{}'; v_environments environment[] := '{}'; v_found boolean;
  v_after text := p_table || '_after';
begin
  -- Since there is the trigger, no such rows are added, so most Spaces are examined without a lock.
  execute format('select space_id, environment from only %I order by space_id, environment limit 1', p_table)
  into v_space, v_environment;
  while v_space is not null loop
    execute format('select exists (select from only %I where space_id = $1 and environment = $2 and %I >= $3)', p_table, p_column)
    into v_found using v_space, v_environment, p_bound;
    if v_found then
      v_spaces := v_spaces || v_space;
      v_environments := v_environments || v_environment;
    end if;
    execute format('select space_id, environment from only %I where (space_id, environment) > ($1, $2)
      order by space_id, environment limit 1', p_table)
    into v_space, v_environment using v_space, v_environment;
  end loop;

  perform limit_lock_wait();
  execute format('lock table only %I in access exclusive mode', p_table);
  execute format('alter table only %I disable trigger user', p_table);
  execute format('alter table %I disable trigger user', v_after);
  for i in 1 .. cardinality(v_spaces) loop
    execute format('with moved as (delete from only %I where space_id = $1 and environment = $2 and %I >= $3 returning *)
      insert into %I select * from moved', p_table, p_column, v_after)
    using v_spaces[i], v_environments[i], p_bound;
  end loop;
  execute format('alter table only %I enable trigger user', p_table);
  execute format('alter table %I enable trigger user', v_after);
  execute format('alter table only %I add constraint %I check (%I < %L) no inherit not valid', p_table, p_table || '_until',
    p_column, p_bound);
end $$;

-- Puts a new, divided table in the place of the table, which becomes its first partition. If the table has no rows, it is dropped.
create or replace function finish_division(p_table text, p_column text, p_bound uuid) returns void
language plpgsql
set check_function_bodies = off
as $$
declare
  v_before text := p_table || '_before';
  v_after text := p_table || '_after';
  v_is_empty boolean; v_text text; v_name text; v_constraint text; v_functions text[]; v_old regprocedure; v_triggers text[];
  v_grants text[];
begin
  perform limit_lock_wait();
  execute format('lock table only %I in access exclusive mode', p_table);
  execute format('select not exists (select from only %I)', p_table) into v_is_empty;

  -- What depends on the type of the table's rows, or belongs to the table, is created again for the new one.
  v_functions := array(
    select pg_get_functiondef(oid) from pg_proc
    where (select typ.oid from pg_type typ where typrelid = p_table::regclass) = any (proargtypes));
  v_triggers := array(
    select pg_get_triggerdef(oid) from pg_trigger
    where tgrelid = p_table::regclass and not tgisinternal and tgname !~ '_while_divided$');
  v_grants := array(
    select format('grant %s on %I to %s%s', privilege_type, p_table,
      case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
      case when is_grantable then ' with grant option' else '' end)
    from pg_class cross join lateral aclexplode(relacl) where oid = p_table::regclass and grantee <> relowner);
  execute format('drop trigger %I on %I', p_table || '_while_divided', p_table);
  execute format('alter table %I no inherit %I', v_after, p_table);
  for v_old in
    select oid::regprocedure from pg_proc
    where (select typ.oid from pg_type typ where typrelid = p_table::regclass) = any (proargtypes)
  loop
    execute format('drop function %s', v_old);
  end loop;
  -- pesewa verify finds rows that refer to nothing. A foreign key would have to be checked whenever a month is detached.
  for v_name, v_constraint in
    select conrelid::regclass, conname from pg_constraint where p_table::regclass in (conrelid, confrelid) and contype = 'f'
  loop
    execute format('alter table %s drop constraint %I', v_name, v_constraint);
  end loop;
  execute format('alter table %I rename to %I', p_table, v_before);
  execute format('create table %I (like %I including all excluding indexes) partition by range (%I)', p_table, v_after, p_column);

  for v_name, v_text, v_constraint in
    select part.relname, pg_get_indexdef(indexrelid), pg_get_constraintdef(key.oid)
    from pg_index join pg_class part on part.oid = indexrelid
    left join pg_constraint key on key.conindid = indexrelid and key.conrelid = indrelid
    -- A key without the column that divides the table applies only within a partition. The first one keeps its name, which the
    -- previous release knows.
    where indrelid = v_before::regclass and (not indisunique or exists (
      select from pg_attribute where attrelid = indrelid and attname = p_column and attnum = any (indkey)))
    order by part.relname
  loop
    execute format('alter index %I rename to %I', v_name, v_before || substr(v_name, 1 + length(p_table)));
    if v_constraint is not null then
      execute format('alter table %I add constraint %I %s', p_table, v_name, v_constraint);
    else
      execute regexp_replace(v_text, '^(CREATE (?:UNIQUE )?INDEX \S+) ON \S+', format('\1 ON %I', p_table));
    end if;
  end loop;
  if v_is_empty then
    execute format('drop table %I', v_before);
    execute format('alter table %I attach partition %I for values from (minvalue) to (maxvalue)', p_table, v_after);
  else
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', p_table, v_before, p_bound);
    execute format('alter table %I drop constraint %I', v_before, p_table || '_until');
    execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', p_table, v_after, p_bound);
  end if;
  foreach v_text in array v_functions || v_triggers || v_grants loop
    execute v_text;
  end loop;
end $$;

-- Divides a table in use by the time in the ids of this column. If this is interrupted, the next call continues. With
-- p_only_empty, a table with rows is left as it is.
create or replace procedure divide_by_month(p_table text, p_column text, p_only_empty boolean default false)
language plpgsql as $$
declare
  c_attempts constant int := 1200;
  v_bound uuid; v_is_begun boolean; v_is_moved boolean; v_rows bigint; v_attempt int; v_has_rows boolean;
begin
  execute format('select exists (select from %I)', p_table) into v_has_rows;
  if (select relkind from pg_class where oid = p_table::regclass) = 'p' or v_has_rows and p_only_empty then
    return;
  end if;
  select to_regclass(p_table || '_after') is not null into v_is_begun;
  -- Nodes have more than a week to write rows with earlier ids, in case this is interrupted.
  v_bound := month_start((date_trunc('month', now() at time zone 'utc' + interval '7 days') + interval '1 month')::date);
  if v_is_begun then
    v_bound := substring((
      select pg_get_triggerdef(oid) from pg_trigger where tgrelid = p_table::regclass and tgname = p_table || '_while_divided'
    ) from '''([0-9a-f-]{36})''')::uuid;
  end if;
  select greatest(reltuples, 0)::bigint into v_rows from pg_class where oid = p_table::regclass;
  if v_rows > 0 then
    raise info '%: dividing about % rows by month', p_table, v_rows;
  end if;

  -- A step that has to wait for a lock is tried again later, so that statements that came after it can go first.
  for step in 1 .. 4 loop
    select exists (
      select from pg_constraint where conrelid = p_table::regclass and conname = p_table || '_until'
    ) into v_is_moved;
    v_attempt := 0;
    loop
      begin
        if step = 1 and not v_is_begun then
          perform begin_division(p_table, p_column, v_bound);
        elsif step = 2 and not v_is_moved then
          perform move_later_rows(p_table, p_column, v_bound);
        elsif step = 3 then
          perform set_config('lock_timeout', '0', true);
          execute format('alter table %I validate constraint %I', p_table, p_table || '_until');
        elsif step = 4 then
          perform finish_division(p_table, p_column, v_bound);
        end if;
        exit;
      exception when lock_not_available or deadlock_detected then
        v_attempt := v_attempt + 1;
        if v_attempt = c_attempts then
          raise exception '%: a transaction has been using the table for ten minutes', p_table
            using errcode = 'lock_not_available', hint = 'Run pesewa migrate again when it has ended.';
        end if;
      end;
      commit;
      perform pg_sleep(0.5);
    end loop;
    commit;
  end loop;
  if v_rows > 0 then
    raise info '%: divided by month', p_table;
  end if;
end $$;

-- Plans do not depend on parameters, so they must be good for a Space with a large part of the rows of a month, and for values
-- that no other row of the month has. The statistics therefore count ten Spaces, and a hundred values in columns that may have
-- only one in a month. Otherwise, a list of another value, or in a large Space, might read all rows of the month.
create or replace function assume_values(p_table text, p_columns text[]) returns void
language plpgsql as $$
declare
  v_part text; v_column text;
begin
  foreach v_part in array array[p_table || '_before', p_table || '_after'] loop
    execute format('alter table if exists %I alter column space_id set (n_distinct = 10)', v_part);
    execute format('alter table if exists %I alter column environment set (n_distinct = 2)', v_part);
    foreach v_column in array p_columns loop
      execute format('alter table if exists %I alter column %I set (n_distinct = 100)', v_part, v_column);
    end loop;
  end loop;
end $$;

-- As before, but with bounds of ids, and without the statements for old seals if there are none.
create or replace function audits_digest(p_space_id uuid, p_environment environment, p_ids uuid[])
 returns bytea
 language sql
 stable
as $$
  select digest_of(string_agg(
    row(id, at, actor, action, object_type, object_id, reason, details)::text, e'\n' order by id))
  from audit_entries where space_id = p_space_id and environment = p_environment and id = any (p_ids)
    -- The ids are in order, so only their months are opened.
    and id >= p_ids[1] and id <= p_ids[cardinality(p_ids)]
$$;

create or replace function chain_books(p_space_id uuid, p_environment environment, p_all boolean)
 returns boolean
 language plpgsql
 set TimeZone to 'UTC'
 set DateStyle to 'ISO'
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set enable_bitmapscan to 'off'
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
declare
  -- every space: the type of a row, not a query
  v_link book_links;
  c_events constant int := 1000;
  c_lines constant int := 2000;
  c_lines_of_range constant int := 100;
  c_old_seals constant int := 1000;
  v_marks bigint[]; v_audits uuid[]; v_before bytea; v_first bigint; v_objects uuid[]; v_orders uuid[]; v_marked uuid[];
  v_old uuid[]; v_least uuid; v_greatest uuid; v_least_order uuid; v_greatest_order uuid; v_is_more boolean; v_is_range_left boolean;
begin
  -- Only one chainer per Space and environment; another one is at work.
  if not pg_try_advisory_xact_lock(715010, hashtext(p_space_id::text || p_environment)) then
    return false;
  end if;
  -- Read first: whatever is marked after this is left for the next call.
  select array_agg(id), array_agg(audit_id) filter (where audit_id is not null),
    coalesce(array_agg(distinct object_id) filter (where object_id is not null), '{}')
  into v_marks, v_audits, v_marked from unchained
  where space_id = p_space_id and environment = p_environment;

  select number, hash, position_to, made_at
  into v_link.number, v_before, v_link.position_after, v_link.made_at from book_links
  where space_id = p_space_id and environment = p_environment order by number desc limit 1;
  v_link.space_id := p_space_id;
  v_link.environment := p_environment;
  v_link.number := coalesce(v_link.number, 0) + 1;
  v_link.made_at := greatest(date_trunc('milliseconds', clock_timestamp()),
    v_link.made_at + interval '1 millisecond');

  -- A link ends with a fact, but links made by earlier releases may end among the events of one.
  select coalesce(sum(last - first + 1), 0), min(first), max(last),
    coalesce(array_agg(distinct object_id) filter (where object_id is not null), '{}')
  into v_link.event_count, v_first, v_link.position_to, v_objects from (
    select *, sum(last - first + 1) over (order by first) - (last - first + 1) as before from (
      select greatest(position, v_link.position_after + 1) as first, position + count - 1 as last, object_id
      from sequenced_facts
      where space_id = p_space_id and environment = p_environment
        and position > coalesce(v_link.position_after, -1) - max_events_of_fact()
        and position + count - 1 > coalesce(v_link.position_after, -1)
      order by position limit c_events
    ) following
  ) next
  where before < c_events;
  -- The first link begins with the oldest event that has not been deleted.
  v_link.position_after := coalesce(v_link.position_after, v_first - 1, 0);
  v_link.position_to := coalesce(v_link.position_to, v_link.position_after);
  v_link.events_digest := events_digest(p_space_id, p_environment, v_link.position_after, v_link.position_to);

  with touched as (
    select line.account_id as id from sequenced_facts s cross join lateral unnest(s.line_ids) as posted (id)
    cross join lateral (
      select account_id from ledger_lines
      where space_id = p_space_id and environment = p_environment and id = posted.id offset 0
    ) line
    where s.space_id = p_space_id and s.environment = p_environment and s.position > v_link.position_after
      and s.position <= v_link.position_to
    union
    select id from ledger_accounts
    where space_id = p_space_id and environment = p_environment and purpose is not null
    union
    select id from ledger_accounts where space_id = p_space_id and environment = p_environment and p_all
  ), behind as (
    select account.id, account.next_seq - 1 as last_seq, coalesce(chained.seq_to, 0) as chained_seq
    from touched
    cross join lateral (
      select id, next_seq from ledger_accounts
      where space_id = p_space_id and environment = p_environment and id = touched.id offset 0
    ) account
    left join lateral (
      select seq_to from book_ranges
      where space_id = p_space_id and environment = p_environment and account_id = touched.id
      order by seq_to desc limit 1
    ) chained on true
    where account.next_seq - 1 > coalesce(chained.seq_to, 0)
  ), taken as (
    select id, last_seq, chained_seq,
      case when p_all then last_seq else least(last_seq, chained_seq + c_lines) end as taken_seq
    from behind
  ), made as (
    insert into book_ranges (space_id, environment, account_id, seq_from, seq_to, number, digest)
    select p_space_id, p_environment, id, seq_from, seq_to, v_link.number,
      lines_digest(p_space_id, p_environment, id, seq_from, seq_to)
    from taken
    cross join lateral generate_series(chained_seq + 1, taken_seq, c_lines_of_range) seq_from
    cross join lateral (select least(seq_from + c_lines_of_range - 1, taken_seq) as seq_to) range
    returning account_id, seq_to, digest
  )
  select (select digest_of(string_agg(row(account_id, seq_to, digest)::text, e'\n' order by account_id, seq_to)) from made),
    (select coalesce(bool_or(taken_seq < last_seq), false) from taken)
  into v_link.ranges_digest, v_is_range_left;

  with added as (
    insert into book_audits (space_id, environment, id, number)
    select p_space_id, p_environment, id, v_link.number from unnest(v_audits) as audit (id)
    on conflict do nothing
    returning id
  )
  select coalesce(array_agg(id order by id), '{}') into v_link.audits from added;
  v_link.audits_digest := audits_digest(p_space_id, p_environment, v_link.audits);

  v_objects := v_objects || v_marked;
  -- So that only the months of these objects are opened.
  select id into v_least from unnest(v_objects) object (id) order by id limit 1;
  select id into v_greatest from unnest(v_objects) object (id) order by id desc limit 1;
  v_orders := array(
    select order_id from payments
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      and id >= v_least and id <= v_greatest
    union all
    select order_id from checkout_sessions
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      and id >= v_least and id <= v_greatest);
  select id into v_least_order from unnest(v_orders) ordered (id) order by id limit 1;
  select id into v_greatest_order from unnest(v_orders) ordered (id) order by id desc limit 1;
  insert into book_seals (space_id, environment, object_id, object_type, number, terms, outcome)
  select p_space_id, p_environment, present.id, present.type, v_link.number,
    case when sealed.terms is null or marked.is_marked then present.terms else sealed.terms end,
    case when sealed.terms is null or marked.is_marked then present.outcome else coalesce(sealed.outcome, present.outcome) end
  from (
    select distinct on (id) id, type, digest_of(terms) as terms, digest_of(outcome) as outcome from (
      select 'payment' as type, id, payment_terms(p) as terms, payment_outcome(p) as outcome from payments p
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
        and id >= v_least and id <= v_greatest
      union all
      select 'payout', id, payout_terms(p), payout_outcome(p) from payouts p
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'payout_batch', id, payout_batch_terms(b), payout_batch_outcome(b) from payout_batches b
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'refund', id, refund_terms(r), refund_outcome(r) from refunds r
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'recall', id, recall_terms(r), recall_outcome(r) from recalls r
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'checkout_session', id, checkout_session_terms(s), checkout_session_outcome(s) from checkout_sessions s
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
        and id >= v_least and id <= v_greatest
      union all
      select 'payment_link', id, payment_link_terms(l), null from payment_links l
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'payment_code', id, payment_code_terms(c), payment_code_outcome(c) from payment_codes c
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'ussd_otp', id, ussd_otp_terms(o), ussd_otp_outcome(o) from ussd_otps o
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      -- An immediate transfer contains nothing that its lines do not.
      select 'internal_transfer', id, internal_transfer_terms(t), internal_transfer_outcome(t) from internal_transfers t
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
        and id >= v_least and id <= v_greatest
        and (status <> 'completed' or execute_at is not null)
      union all
      select 'order', id, order_terms(o), null from orders o
      where space_id = p_space_id and environment = p_environment and id = any (v_orders)
        and id >= v_least_order and id <= v_greatest_order
      union all
      -- every space: unallocated bill payments are in the chain of the installation
      select 'bill_payment', id, bill_payment_terms(b), bill_payment_outcome(b) from bill_payments b
      where environment = p_environment and id = any (v_marked)
        and p_space_id = '00000000-0000-0000-0000-000000000000'
      union all
      select rules.type, md5(rules.type)::uuid, coalesce(rules.terms, ''), null from (
        select 'fee_rules' as type, fee_rules_terms(p_space_id, p_environment) as terms
        where md5('fee_rules')::uuid = any (v_marked)
        union all
        select 'payout_approvals_above', payout_approvals_above_terms(p_space_id, p_environment)
        where md5('payout_approvals_above')::uuid = any (v_marked)
        union all
        select 'refund_approvals_above', refund_approvals_above_terms(p_space_id, p_environment)
        where md5('refund_approvals_above')::uuid = any (v_marked)
        union all
        select 'refund_policies', refund_policies_terms(p_space_id, p_environment)
        where md5('refund_policies')::uuid = any (v_marked)
      ) rules
    ) object
  ) present
  left join lateral (
    select terms, outcome from book_seals seal
    where seal.space_id = p_space_id and seal.environment = p_environment and seal.object_id = present.id
    order by number desc limit 1
  ) sealed on true
  -- A marked object may change only if it matched its seal before the change. Otherwise it keeps the seal, and
  -- `pesewa verify` finds the difference.
  cross join lateral (
    select exists (
      select 1 from unchained mark
      where mark.space_id = p_space_id and mark.environment = p_environment and mark.id = any (v_marks)
        and mark.object_id = present.id and mark.terms = sealed.terms
        and mark.outcome is not distinct from sealed.outcome) as is_marked
  ) marked
  -- Without a mark, terms are sealed once and the outcome once.
  where sealed.terms is null
    or (marked.is_marked and (present.terms, present.outcome) is distinct from (sealed.terms, sealed.outcome))
    or (sealed.outcome is null and present.outcome is not null);

  -- Seals from before links contained them move into this link, or are deleted if the object has a newer one.
  v_old := array(
    select object_id from book_seals
    where space_id = p_space_id and environment = p_environment and number = 0 order by number limit c_old_seals);
  if v_old <> '{}' then
    delete from book_seals old
    where old.space_id = p_space_id and old.environment = p_environment and old.object_id = any (v_old) and old.number = 0
      and exists (
        select 1 from book_seals later
        where later.space_id = p_space_id and later.environment = p_environment and later.object_id = old.object_id
          and later.number > 0);
    update book_seals set number = v_link.number
    where space_id = p_space_id and environment = p_environment and object_id = any (v_old) and number = 0;
  end if;
  v_link.seals_digest := seals_digest(p_space_id, p_environment, v_link.number);

  if v_link.event_count > 0 or v_link.ranges_digest is not null or v_link.audits_digest is not null
      or v_link.seals_digest is not null then
    v_link.hash := link_hash(v_before, v_link);
    insert into book_links (space_id, environment, number, made_at, position_after, position_to, event_count,
      events_digest, ranges_digest, audits, audits_digest, seals_digest, hash)
    values (p_space_id, p_environment, v_link.number, v_link.made_at, v_link.position_after, v_link.position_to,
      v_link.event_count, v_link.events_digest, v_link.ranges_digest, v_link.audits, v_link.audits_digest,
      v_link.seals_digest, v_link.hash);
  end if;

  v_is_more := v_link.event_count >= c_events or v_is_range_left or cardinality(v_old) = c_old_seals;
  if not v_is_more then
    delete from unchained where space_id = p_space_id and environment = p_environment and id = any (v_marks);
  end if;
  return v_is_more;
end $$;

-- Makes a statement fail as a unique index would.
create or replace function refuse_order_number(p_number text) returns boolean
language plpgsql as $$
begin
  raise exception 'an order has the number %', p_number using errcode = 'unique_violation', constraint = 'orders_number';
end $$;

call divide_by_month('audit_entries', 'id');
call divide_by_month('ledger_lines', 'id');
call divide_by_month('book_seals', 'object_id');
call divide_by_month('checkout_sessions', 'id');
call divide_by_month('instructions', 'id');
call divide_by_month('internal_transfers', 'id');
call divide_by_month('payments', 'id');
call divide_by_month('receipts', 'order_id');
call divide_by_month('redemptions', 'order_id');
-- The previous release names the key of order numbers in `on conflict`. A table with orders is therefore divided by the next release.
call divide_by_month('orders', 'id', true);

select assume_values('audit_entries', '{actor,action,object_type}');
select assume_values('book_seals', '{}');
select assume_values('checkout_sessions', '{status,payment_link_id}');
select assume_values('instructions', '{}');
select assume_values('internal_transfers', '{status,source_account_id,destination_account_id}');
select assume_values('ledger_lines', '{}');
select assume_values('orders', '{}');
select assume_values('payments', '{status,provider_id,financial_account_id,amount}');
select assume_values('receipts', '{}');
select assume_values('redemptions', '{}');
