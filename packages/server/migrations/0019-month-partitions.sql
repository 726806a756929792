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
    where indrelid = p_model::regclass order by part.relname
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
    foreach v_column in array p_columns loop
      execute format('alter table if exists %I alter column %I set (n_distinct = 100)', v_part, v_column);
    end loop;
  end loop;
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
