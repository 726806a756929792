-- Two tables of routing get the names that the program uses for their contents.
alter table connection_rests rename to open_breakers;
alter table connection_tallies rename to connection_stats;

-- Renames their constraints, and with the primary keys their indexes. Only PostgreSQL 18 names not-null constraints.
do $$
declare
  named record;
begin
  for named in
    select conrelid::regclass as in_table, conname as former,
      regexp_replace(conname, '^connection_(rests|tallies)', conrelid::regclass::text) as present
    from pg_constraint
    where conrelid in ('open_breakers'::regclass, 'connection_stats'::regclass) and conname ~ '^connection_(rests|tallies)'
  loop
    execute format('alter table %s rename constraint %I to %I', named.in_table, named.former, named.present);
  end loop;
end $$;

-- A breaker can also be open for refunds, which have their own queue.
alter table open_breakers drop constraint open_breakers_kind_check;
alter table open_breakers add constraint open_breakers_kind_check check (kind in ('collect', 'disburse', 'refund'));
