-- One row per fact instead of one per event. The events of a fact have consecutive positions and sequences, and their
-- ids, types and objects follow from the fact, so only the first position and the number of events are stored.

-- The combinations of event types that facts have. A list of events of one type reads the facts of the few kinds that
-- contain the type.
create table fact_kinds (
  kind smallint generated always as identity primary key,
  types text[] not null,
  -- The events of a posting's lines come before the types.
  has_lines boolean not null,
  unique (types, has_lines)
);

-- Facts in the order of their events, written by the sequencer only.
create table sequenced_facts (
  space_id uuid not null,
  environment environment not null,
  -- Number of events.
  count integer not null check (count > 0),
  -- Of the first event; the others follow without a gap.
  position bigint not null,
  -- Of the first event: 1, 2, 3, … in the Space and environment.
  sequence bigint not null,
  fact_number bigint not null,
  at timestamptz not null,
  -- The latest `at` so far in the Space and environment. It never decreases, so a time can be searched for.
  latest_at timestamptz not null,
  -- null: a fact with only the lines of a posting
  object_id uuid,
  kind smallint not null,
  -- The lines of the fact's posting that merchants see, in order. Their events come first.
  line_ids uuid[],
  primary key (space_id, environment, position)
) partition by range (position);

-- Existing events, copied before the indexes are created.
insert into fact_kinds (types, has_lines)
select distinct types, posting is not null from event_facts;
do $$
declare
  v_number integer;
begin
  for v_number in select number from event_partitions where to_regclass('events_' || number) is not null loop
    -- every space: a partition holds rows of all Spaces
    execute format('create table %I partition of sequenced_facts for values from (%s) to (%s) with (fillfactor = 100)',
      'sequenced_facts_' || v_number, event_partition_start(v_number), event_partition_start(v_number + 1));
  end loop;
end
$$;
insert into sequenced_facts (space_id, environment, count, position, sequence, fact_number, at, latest_at, object_id,
  line_ids, kind)
select e.space_id, e.environment, e.count, e.position, e.sequence, e.fact_number, e.at, e.latest_at,
  fact.object_id, e.line_ids, kinds.kind
from (
  select space_id, environment, fact_number, min(position) as position, min(sequence) as sequence, min(at) as at,
    min(latest_at) as latest_at,
    array_agg(object_id order by position) filter (where type = 'financial_transaction.created') as line_ids,
    -- The events of a fact have always been consecutive; otherwise, this is null, and the migration fails.
    case when max(position) - min(position) + 1 = count(*) then count(*) end as count
  from events group by space_id, environment, fact_number
) e
join event_facts fact on fact.space_id = e.space_id and fact.environment = e.environment and fact.number = e.fact_number
join fact_kinds kinds on kinds.types = fact.types and kinds.has_lines = (fact.posting is not null)
order by e.position;

-- Which event of its fact is delivered, counted from 0: the fact is at `position - nth`.
alter table webhook_deliveries add column nth smallint not null default 0;
-- every space: all deliveries
update webhook_deliveries d set nth = e.position - s.position
from events e join sequenced_facts s on s.space_id = e.space_id and s.environment = e.environment
  and s.fact_number = e.fact_number
where d.space_id = e.space_id and d.environment = e.environment and d.position = e.position and e.position > s.position;

drop table events;
-- Partitions that had been detached but not dropped yet.
do $$
declare
  v_number integer;
begin
  for v_number in select number from event_partitions loop
    execute format('drop table if exists %I', 'events_' || v_number);
  end loop;
end
$$;
drop function ledger_told_lines;

-- Finds the events of a fact.
create index sequenced_facts_number on sequenced_facts (fact_number);
create index sequenced_facts_object on sequenced_facts (space_id, environment, object_id, position)
  where object_id is not null;
create index sequenced_facts_kind on sequenced_facts (space_id, environment, kind, position);

-- Creates partition `p_number` of all three tables without blocking writers.
create or replace function create_event_partition(p_number integer) returns void language plpgsql as $$
declare
  v_parent text;
begin
  -- every space: a partition holds rows of all Spaces
  foreach v_parent in array array['event_facts', 'sequenced_facts', 'webhook_deliveries'] loop
    -- Deliveries are updated soon after they are created, in the room that the fillfactor leaves on their page.
    execute format('create table %I (like %I including all) with (fillfactor = %s)', v_parent || '_' || p_number,
      v_parent, case v_parent when 'webhook_deliveries' then 70 else 100 end);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', v_parent,
      v_parent || '_' || p_number, event_partition_start(p_number), event_partition_start(p_number + 1));
  end loop;
  insert into event_partitions (number) values (p_number);
end
$$;

-- A fact has at most this many events, because their ids differ in the last byte only. The fact of an event therefore
-- begins among this many positions, so that finding it does not depend on the planner's choice of an ordered scan.
create function max_events_of_fact() returns bigint language sql immutable parallel safe as 'select 256::bigint';

-- Where a fact is in the order, if it has been sequenced. The events of a fact are in the same partition as the fact or
-- in the next one.
create function sequenced_fact(p_space_id uuid, p_environment environment, p_number bigint)
returns setof sequenced_facts language sql stable as $$
  select * from sequenced_facts
  -- A number leads to one row. Without "is true", the planner might prefer an index that begins with the Space, and
  -- read all of the Space's rows.
  where fact_number = p_number and (space_id = p_space_id) is true and (environment = p_environment) is true
    and position >= event_partition_start((p_number >> 40)::integer)
    and position < event_partition_start((p_number >> 40)::integer + 2)
$$;

-- The events of a fact: first one for each of its lines, then its own. `nth` counts from 0. The data of a line is read
-- from the ledger.
create function fact_events(p_space_id uuid, p_environment environment, p_number bigint, p_line_ids uuid[])
returns table (nth bigint, id uuid, type text, object_id uuid, fact_id uuid, callback_state text, data text)
language sql stable as $$
  select named.place - 1, event_id(fact.id, named.place), named.type, named.object_id, fact.id, named.callback_state,
    named.data
  from event_facts fact
  cross join lateral (
    select place, 'financial_transaction.created' as type, line_id as object_id, null as callback_state, null as data
    from unnest(p_line_ids) with ordinality as line (line_id, place)
    union all
    select coalesce(cardinality(p_line_ids), 0) + place, type, fact.object_id, fact.callback_state, fact.data
    from unnest(fact.types) with ordinality as own (type, place)
  ) named
  -- For "is true", see `sequenced_fact`.
  where fact.number = p_number and (fact.space_id = p_space_id) is true and (fact.environment = p_environment) is true
$$;

-- The events after one position and up to another. The first fact may begin before them.
create function events_between(p_space_id uuid, p_environment environment, p_after bigint, p_to bigint)
returns table ("position" bigint, sequence bigint, id uuid, type text, object_id uuid, fact_id uuid, fact_number bigint,
  at timestamptz, latest_at timestamptz)
language sql stable as $$
  select s.position + e.nth, s.sequence + e.nth, e.id, e.type, e.object_id, e.fact_id, s.fact_number, s.at, s.latest_at
  from sequenced_facts s cross join lateral fact_events(p_space_id, p_environment, s.fact_number, s.line_ids) e
  where s.space_id = p_space_id and s.environment = p_environment
    and s.position > p_after - max_events_of_fact() and s.position <= p_to and s.position + e.nth > p_after and s.position + e.nth <= p_to
$$;

-- The first position at which an event of this time or later can be. Binary search: `latest_at` never decreases.
create or replace function events_floor(p_space_id uuid, p_environment environment, p_since timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_low bigint; v_high bigint; v_middle bigint; v_latest timestamptz; v_found bigint;
begin
  select position into v_low from sequenced_facts
  where space_id = p_space_id and environment = p_environment order by position limit 1;
  select position + 1 into v_high from sequenced_facts
  where space_id = p_space_id and environment = p_environment order by position desc limit 1;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select position, latest_at into v_found, v_latest from sequenced_facts
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

-- Digest of the events after one position and up to another. A fact is included with its first event.
create or replace function events_digest(p_space_id uuid, p_environment environment, p_after bigint, p_to bigint)
returns bytea language plpgsql stable as $$
declare
  v_text text;
begin
  select string_agg(row(e.position, e.sequence, e.id, e.type, e.object_id, e.fact_id, e.fact_number, e.at,
    e.latest_at)::text || coalesce(fact.text, ''), e'\n' order by e.position)
  into v_text from events_between(p_space_id, p_environment, p_after, p_to) e
  left join lateral (
    select row(f.object_type, f.object_id, f.callback_state, f.data, f.at, f.types, f.posting)::text as text
    from event_facts f
    where f.space_id = p_space_id and f.environment = p_environment and f.id = e.fact_id and f.number = e.fact_number
      and e.id = e.fact_id
    offset 0
  ) fact on true;
  return digest_of(v_text);
end $$;

-- Adds the next link to the chain of a Space, if there is anything to chain, and returns whether more is left. A link
-- contains the next facts with about a thousand events, the new lines of accounts as ranges, the marked audit entries
-- and the seals of the objects that the events are about or that are marked. Limits keep a link small. With p_all, it
-- looks for new lines in all accounts; otherwise in those that its events lead to and those with a purpose, whose lines
-- have no events.
create or replace function chain_books(p_space_id uuid, p_environment environment, p_all boolean) returns boolean
language plpgsql
-- Hashes must not depend on the session's settings.
set timezone = 'UTC'
set datestyle = 'ISO'
-- Index scans only: with outdated statistics, as of a Space that has just grown, the planner would scan whole tables.
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  -- every space: the type of a row, not a query
  v_link book_links;
  c_events constant int := 1000;
  c_lines constant int := 2000;
  c_lines_of_range constant int := 100;
  c_old_seals constant int := 1000;
  v_marks bigint[]; v_audits uuid[]; v_before bytea; v_first bigint; v_objects uuid[]; v_orders uuid[]; v_marked uuid[];
  v_old uuid[]; v_is_more boolean; v_is_range_left boolean;
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
  v_orders := array(
    select order_id from payments
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select order_id from checkout_sessions
    where space_id = p_space_id and environment = p_environment and id = any (v_objects));
  insert into book_seals (space_id, environment, object_id, object_type, number, terms, outcome)
  select p_space_id, p_environment, present.id, present.type, v_link.number,
    case when sealed.terms is null or marked.is_marked then present.terms else sealed.terms end,
    case when sealed.terms is null or marked.is_marked then present.outcome else coalesce(sealed.outcome, present.outcome) end
  from (
    select distinct on (id) id, type, digest_of(terms) as terms, digest_of(outcome) as outcome from (
      select 'payment' as type, id, payment_terms(p) as terms, payment_outcome(p) as outcome from payments p
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
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
        and (status <> 'completed' or execute_at is not null)
      union all
      select 'order', id, order_terms(o), null from orders o
      where space_id = p_space_id and environment = p_environment and id = any (v_orders)
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
  delete from book_seals old
  where old.space_id = p_space_id and old.environment = p_environment and old.object_id = any (v_old) and old.number = 0
    and exists (
      select 1 from book_seals later
      where later.space_id = p_space_id and later.environment = p_environment and later.object_id = old.object_id
        and later.number > 0);
  update book_seals set number = v_link.number
  where space_id = p_space_id and environment = p_environment and object_id = any (v_old) and number = 0;
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
