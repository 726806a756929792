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
/**
 * Number of facts that are read for each row that may be written. Reading facts is cheap, and with this many,
 * the facts of other Spaces that wait behind those of a busy Space are reached soon.
 */
const factsReadPerRow = 4
/**
 * Number of facts that are looked at for each row that may be written. Most of them have been sequenced before:
 * facts stay unsettled until all earlier transactions have ended. Without this limit, a round would look at
 * millions of them after an outage.
 */
const factsSeenPerRow = 25
/** Maximum number of Spaces whose backlogs are processed in the same round. */
const maxBacklogs = 20 // Spaces whose backlogs are processed in one round of the sequencer

/**
 * Reads the facts that became visible between two snapshots, so that each fact is read once, after its commit,
 * regardless of the order in which transactions began. Creates about `maxRows` rows for these facts, and looks
 * at a limited number of facts. Facts are sequenced in the order in which they were written, which for one object
 * is the order of its changes. The first facts of every Space come before the second facts of any Space. The remaining facts are added to the
 * backlog, and so are all facts of a Space that already has a backlog.
 */
export function sequenceFresh(
  tx: Tx,
  state: SequencerState,
  postedLines: Sql,
  maxRows: number,
): Promise<SequencerRound> {
  const { isRestored, roundSnapshot, sequencedSnapshot, after } = state
  const maxFacts = maxRows * factsReadPerRow
  // The last fact that this round looks at; null if it can look at all. Numbers have gaps, so facts are counted. A round
  // in a restored database begins from the start each time, so it has to be able to reach the end.
  const upTo = isRestored
    ? sql`null::bigint`
    : sql`(
        -- every space: there is one sequencer
        select number from event_facts where number > ${after} order by number
        offset ${maxRows * factsSeenPerRow} limit 1)`
  const snapshot = roundSnapshot ? sql`${roundSnapshot}::pg_snapshot` : sql`pg_current_snapshot()`
  // every space: there is one sequencer
  const isFresh = isRestored
    ? sql`not exists (select 1 from sequenced_fact(fact.space_id, fact.environment, fact.number))
        and (select fact_number from event_backlog waiting where waiting.fact_number >= fact.number
          order by fact_number limit 1) is distinct from fact.number`
    : sql`pg_visible_in_snapshot(xid, ${snapshot})
        and not pg_visible_in_snapshot(xid, ${sequencedSnapshot}::pg_snapshot)`
  return tx.only<SequencerRound>(sql`
    -- every space: there is one sequencer
    with bound as materialized (
      select ${upTo} as up_to
    ), fresh as materialized (
      select number, space_id, environment, id, types, object_id, posting, at from event_facts fact
      where number > ${after} and number <= coalesce((select up_to from bound), ${maxBigint}) and ${isFresh}
      order by number limit ${maxFacts}
    ), weights as materialized (
      select kind.*, weight, ${hasBacklog(sql`kind`)} as has_backlog
      from (select distinct space_id, environment, types, posting is not null as has_lines from fresh) kind
      cross join lateral (
        select 1 + count(webhook.id)::int as weight
        from unnest(types || case when has_lines
          then array_fill('financial_transaction.created'::text, array[${linesOfPosting}::int]) else '{}' end) as type
        join webhooks webhook on webhook.space_id = kind.space_id and webhook.environment = kind.environment
          and webhook.enabled and webhook.deleted_at is null
          and webhook.subscriptions && array['*', type, split_part(type, '.', 1) || '.*']
      ) weighed
    ), weighed as materialized (
      select fresh.*, weight, has_backlog
      from fresh join weights on weights.space_id = fresh.space_id and weights.environment = fresh.environment
        and weights.types = fresh.types and has_lines = (posting is not null)
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
    select facts, facts < ${maxFacts} and up_to is null as is_all_read,
      case when facts < ${maxFacts} then up_to else last_fact end as read_up_to,
      (select coalesce(sum(count), 0)::bigint from logged) as events,
      (select count(*)::int from put_off) as postponed,
      ${snapshot}::text as snapshot,
      ${isRestored ? lastRestored : sql`null::bigint`} as last_restored,
      array(select distinct environment || ' ' || space_id from logged) as scopes,
      array(select distinct environment || ' ' || space_id from endpoints) as receivers
    from bound, (select count(*)::int as facts, max(number) as last_fact from fresh) read`)
}

const maxBigint = 2n ** 63n - 1n

// every space: there is one sequencer
const lastRestored = sql`(
  select max(number) from event_facts, event_sequencer
  where number > settled and xid >= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Creates about `maxRows` rows for facts in the backlog. It processes a few Spaces at a time, and the facts of
 * each Space in order.
 */
export const sequenceBacklog = (tx: Tx, position: bigint, postedLines: Sql, maxRows: number) =>
  tx.only<Pick<SequencerRound, 'events' | 'scopes' | 'receivers'>>(sql`
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
    select (select coalesce(sum(count), 0)::bigint from logged) as events,
      array(select distinct environment || ' ' || space_id from logged) as scopes,
      array(select distinct environment || ' ' || space_id from endpoints) as receivers`)

/**
 * Returns a part of a statement that puts the facts in `chosen` in the order of `place`, and creates the
 * deliveries of their events. The sequenced facts are available in `logged`.
 */
// every space: there is one sequencer
const sequencing = (position: bigint, postedLines: Sql) => sql`
    new_kinds as (
      insert into fact_kinds (types, has_lines)
      select distinct types, posting is not null from chosen
      except
      select types, has_lines from fact_kinds
      returning kind, types, has_lines
    ), counted as materialized (
      select chosen.*, nullif(line_ids, '{}') as line_ids, cardinality(types) + cardinality(line_ids) as count
      from chosen cross join lateral (
        -- Without "offset 0", the lines would be read once for each use of their ids.
        select case when posting is null then '{}' else ${postedLines} end as line_ids offset 0) posted
    ), numbered as (
      select counted.*, kind,
        sum(count) over (order by place) - count as before_of_all,
        sum(count) over (partition by space_id, environment order by place) - count as before_of_scope,
        max(at) over (partition by space_id, environment order by place) as latest_at
      from counted join (
        select kind, types, has_lines from fact_kinds union all select kind, types, has_lines from new_kinds
      ) kinds using (types)
      where has_lines = (posting is not null) and count > 0
    ), counters as (
      insert into event_counters (space_id, environment, sequence, latest_at)
      select space_id, environment, sum(count), max(at) from numbered group by space_id, environment
      on conflict (space_id, environment) do update set sequence = event_counters.sequence + excluded.sequence,
        latest_at = greatest(event_counters.latest_at, excluded.latest_at)
    ), logged as (
      insert into sequenced_facts (space_id, environment, count, position, sequence, fact_number, at, latest_at,
        object_id, line_ids, kind)
      select n.space_id, n.environment, count, ${position} + before_of_all + 1,
        coalesce(before.sequence, 0) + before_of_scope + 1, number, at, greatest(before.latest_at, n.latest_at),
        object_id, line_ids, kind
      from numbered n
      -- The counter as it was before this statement.
      left join event_counters before on before.space_id = n.space_id and before.environment = n.environment
      order by place
      returning space_id, environment, count, position, fact_number, line_ids, at
    ), endpoints as materialized (
      select webhook.* from (select distinct space_id, environment from logged) scope
      join webhooks webhook on webhook.space_id = scope.space_id and webhook.environment = scope.environment
        and webhook.enabled and webhook.deleted_at is null
    ), awaited as materialized (
      select logged.space_id, logged.environment, logged.position + nth as position, nth, at, e.id, e.type, e.object_id
      from logged cross join lateral fact_events(space_id, environment, fact_number, line_ids) e
      where (space_id, environment) in (select space_id, environment from endpoints)
    ), delivered as (
      insert into webhook_deliveries (space_id, environment, id, webhook_id, position, nth, status, next_attempt_at,
        created_at)
      select e.space_id, e.environment, delivery_id(e.id, webhook.id), webhook.id, e.position, e.nth, 'pending', e.at, e.at
      from awaited e
      join endpoints webhook on webhook.space_id = e.space_id and webhook.environment = e.environment
        and ${isSubscribed}
    ), to_chain as (
      ${markUnchained(sql`chosen`)}
    )`
