import type { Tx } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { markUnchained } from '../tenants/spaces/audit.ts'
import type { SequencerRound, SequencerState } from './sequencer-state-store.ts'
import { hasBacklog } from './waiting-store.ts'

/** SQL for whether event `e` is sent to endpoint `webhook`. A ping is sent only to the endpoint that was pinged. */
export const isSubscribed = sql`case e.type when 'webhook.ping' then e.object_id = webhook.id
  else webhook.subscriptions && array['*', e.type, split_part(e.type, '.', 1) || '.*'] end`

/** Number of lines that merchants can see in a typical posting. */
const linesOfPosting = 4
/** Maximum number of Spaces whose backlogs are processed in the same round. */
const maxBacklogs = 20 // Spaces whose backlogs are processed in one round of the sequencer

/**
 * Reads the facts that became visible between two snapshots, so that each fact is read once, after its commit,
 * regardless of the order in which transactions began. Creates about `maxRows` rows for these facts. Facts are
 * sequenced in the order in which they were written, which for one object is the order of its changes. The
 * first facts of every Space come before the second facts of any Space. The remaining facts are added to the
 * backlog, and so are all facts of a Space that already has a backlog.
 */
export function sequenceFresh(
  tx: Tx,
  state: SequencerState,
  postedLines: Sql,
  maxFacts: number,
  maxRows: number,
): Promise<SequencerRound> {
  const { isRestored, roundSnapshot, sequencedSnapshot } = state
  const snapshot = roundSnapshot ? sql`${roundSnapshot}::pg_snapshot` : sql`pg_current_snapshot()`
  // The first event of a fact has the same id as the fact.
  // every space: there is one sequencer
  const isFresh = isRestored
    ? sql`not exists (
          select 1 from events where events.space_id = fact.space_id and events.environment = fact.environment
            and events.id = fact.id)
        and (select fact_number from event_backlog waiting where waiting.fact_number >= fact.number
          order by fact_number limit 1) is distinct from fact.number`
    : sql`pg_visible_in_snapshot(xid, ${snapshot})
        and not pg_visible_in_snapshot(xid, ${sequencedSnapshot}::pg_snapshot)`
  return tx.only<SequencerRound>(sql`
    -- every space: there is one sequencer
    with fresh as materialized (
      select number, space_id, environment, id, types, object_id, posting, at from event_facts fact
      where number > ${state.after} and ${isFresh}
      order by number limit ${maxFacts}
    ), kinds as materialized (
      select kind.*, weight, ${hasBacklog(sql`kind`)} as has_backlog
      from (select distinct space_id, environment, types, posting is not null as has_posting from fresh) kind
      cross join lateral (
        select sum(1 + (
          select count(*) from webhooks webhook
          where webhook.space_id = kind.space_id and webhook.environment = kind.environment and webhook.enabled
            and webhook.deleted_at is null
            and webhook.subscriptions && array['*', type, split_part(type, '.', 1) || '.*']))::int as weight
        from unnest(types || case when has_posting
          then array_fill('financial_transaction.created'::text, array[${linesOfPosting}::int]) else '{}' end) as type
      ) weighed
    ), weighed as materialized (
      select fresh.*, weight, has_backlog
      from fresh join kinds on kinds.space_id = fresh.space_id and kinds.environment = fresh.environment
        and kinds.types = fresh.types and has_posting = (posting is not null)
    ), ranked as (
      select weighed.*, sum(weight) over (partition by space_id, environment order by number) as of_scope
      from weighed where not has_backlog
    ), judged as materialized (
      select ranked.*, sum(weight) over (order by of_scope, number) - weight < ${maxRows}::int as is_chosen
      from ranked
    ), put_off as (
      insert into event_backlog (space_id, environment, fact_id, fact_number, weight)
      select space_id, environment, id, number, weight from (
        select space_id, environment, id, number, weight from weighed where has_backlog
        union all
        select space_id, environment, id, number, weight from judged where not is_chosen) later
      order by number
      returning 1
    ), chosen as (
      select number as place, number, space_id, environment, id, types, object_id, posting, at
      from judged where is_chosen
    ), ${sequencing(state.position, postedLines)}
    select (select count(*)::int from fresh) as facts, (select count(*) from logged) as events,
      (select count(*)::int from put_off) as postponed, (select max(number) from fresh) as last_number,
      ${snapshot}::text as snapshot,
      ${isRestored ? lastRestored : sql`null::bigint`} as last_restored,
      array(select distinct environment || ' ' || space_id from logged) as scopes`)
}

// every space: there is one sequencer
const lastRestored = sql`(
  select max(number) from event_facts, event_sequencer
  where number > settled and xid >= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Creates about `maxRows` rows for facts in the backlog. It processes a few Spaces at a time, and the facts of
 * each Space in order.
 */
export const sequenceBacklog = (tx: Tx, position: bigint, postedLines: Sql, maxRows: number) =>
  tx.only<Pick<SequencerRound, 'events' | 'scopes'>>(sql`
    -- every space: there is one sequencer. Finds one Space after the other along the key.
    with recursive waiting_scopes as (
      (select space_id, environment from event_backlog order by space_id, environment limit 1)
      union all
      select next.* from waiting_scopes cross join lateral (
        select space_id, environment from event_backlog waiting
        where (waiting.space_id, waiting.environment) > (waiting_scopes.space_id, waiting_scopes.environment)
        order by space_id, environment limit 1) next
    ), picked as materialized (
      select space_id, environment from waiting_scopes order by random() limit ${maxBacklogs}
    ), ranked as (
      select waiting.*, sum(weight) over (partition by waiting.space_id, waiting.environment order by place) as of_scope
      from picked cross join lateral (
        select ctid as row, space_id, environment, place, fact_id, fact_number, weight from event_backlog one
        where one.space_id = picked.space_id and one.environment = picked.environment
        order by place limit (select greatest(1, ${maxRows}::int / count(*)) from picked)) waiting
    ), turn as materialized (
      select * from (
        select ranked.*, sum(weight) over (order by of_scope, place) - weight as before from ranked) summed
      where before < ${maxRows}::int
    ), gone as (
      delete from event_backlog where ctid = any(array(select row from turn))
    ), chosen as (
      select turn.place, fact.* from turn cross join lateral (
        select number, space_id, environment, id, types, object_id, posting, at from event_facts fact
        where fact.space_id = turn.space_id and fact.environment = turn.environment and fact.id = turn.fact_id
          and fact.number = turn.fact_number offset 0) fact
    ), ${sequencing(position, postedLines)}
    select (select count(*) from logged) as events,
      array(select distinct environment || ' ' || space_id from logged) as scopes`)

/**
 * Returns a part of a statement that creates the events of the facts in `chosen`, in the order of `place`, and
 * their deliveries. The events are available in `logged`.
 */
// every space: there is one sequencer
const sequencing = (position: bigint, postedLines: Sql) => sql`
    named_events as (
      select chosen.place, number, space_id, environment, chosen.id, at, 0 as part, line.place as nth,
        'financial_transaction.created' as type, line.id as object_id
      from chosen cross join lateral ${postedLines} as line
      where posting is not null
      union all
      select chosen.place, number, space_id, environment, chosen.id, at, 1, named.nth, named.type, object_id
      from chosen cross join lateral unnest(types) with ordinality as named (type, nth)
    ), numbered as (
      select named_events.*, row_number() over (order by place, part, nth) as nth_of_all,
        row_number() over (partition by number order by part, nth) as nth_of_fact,
        row_number() over (partition by space_id, environment order by place, part, nth) as nth_of_scope,
        max(at) over (partition by space_id, environment order by place, part, nth) as latest_at
      from named_events
    ), counted as (
      insert into event_counters (space_id, environment, sequence, latest_at)
      select space_id, environment, count(*), max(at) from named_events group by space_id, environment
      on conflict (space_id, environment) do update set sequence = event_counters.sequence + excluded.sequence,
        latest_at = greatest(event_counters.latest_at, excluded.latest_at)
    ), logged as (
      insert into events (space_id, environment, position, sequence, id, type, object_id, fact_id, fact_number, at,
        latest_at)
      select n.space_id, n.environment, ${position} + nth_of_all, coalesce(before.sequence, 0) + nth_of_scope,
        event_id(n.id, nth_of_fact), type, n.object_id, n.id, number, at, greatest(before.latest_at, n.latest_at)
      from numbered n
      -- The counter as it was before this statement.
      left join event_counters before on before.space_id = n.space_id and before.environment = n.environment
      order by nth_of_all
      returning space_id, environment, position, id, type, object_id, at
    ), delivered as (
      insert into webhook_deliveries (space_id, environment, id, webhook_id, position, status, next_attempt_at, created_at)
      select e.space_id, e.environment, delivery_id(e.id, webhook.id), webhook.id, e.position, 'pending', e.at, e.at
      from logged e
      join webhooks webhook on webhook.space_id = e.space_id and webhook.environment = e.environment
        and ${isSubscribed}
      where webhook.enabled and webhook.deleted_at is null
    ), to_chain as (
      ${markUnchained(sql`chosen`)}
    )`
