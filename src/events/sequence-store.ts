import type { Reader, Tx } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'

export type Look = {
  /** A fact waits to be told, or the state of the sequencer can be brought forward. */
  isWorkWaiting: boolean
  /** The last number given to any fact. */
  lastNumber: bigint
}

/** One cheap look, before the transaction that does the work. */
export async function lookForWork(db: Reader): Promise<Look> {
  // every space: there is one sequencer. In order, so that the facts are met along their numbers: with `exists` the
  // planner reads the table of the day from its start, in the belief that it soon finds one.
  const row = await db.one<Look>(sql`
    select telling is not null or pg_snapshot_xmax(told) > pg_snapshot_xmax(pg_current_snapshot())
      or (mark > settled and mark_xid <= pg_snapshot_xmin(pg_current_snapshot()))
      or (
        select number from event_facts fact
        where fact.number > sequencer.settled and not pg_visible_in_snapshot(fact.xid, sequencer.told)
        order by number limit 1
      ) is not null as is_work_waiting,
      (select last_value - case when is_called then 0 else 1 end from event_numbers) as last_number
    from event_sequencer sequencer`)
  return row!
}

export type State = {
  /** Snapshots, as PostgreSQL writes them. */
  told: string
  telling: string | null
  /** Facts up to this number need no look any more. */
  after: bigint
  position: bigint
  /** The database was restored from a dump: transactions are counted anew. */
  isRestored: boolean
}

/** Locks the state; `undefined` while another node has it. */
export function lockState(tx: Tx): Promise<State | undefined> {
  // every space: there is one sequencer
  return tx.one<State>(sql`
    select told::text, telling::text, greatest(settled, telling_after) as after, position,
      pg_snapshot_xmax(told) > pg_snapshot_xmax(pg_current_snapshot()) as is_restored
    from event_sequencer for update skip locked`)
}

export type Round = {
  /** Facts that were told, and the events that they make. */
  facts: number
  events: bigint
  lastNumber: bigint | null
  /** The snapshot that was worked on. */
  window: string
  /** The last fact that came with a restored database: of a transaction that is yet to come here, and visible. */
  lastRestored: bigint | null
  /** `<environment> <Space>`, separated by commas, of those that have new events. */
  scopes: string | null
}

/**
 * Gives the next facts their events, and these their deliveries. Fresh is what became visible between two snapshots:
 * whatever the order in which transactions began, each fact is met once, after its commit. Facts of one round keep the
 * order in which they were written, which for one object is the order of its changes.
 */
export async function tellFacts(tx: Tx, state: State, maxFacts: number): Promise<Round> {
  const window: Sql = state.telling ? sql`${state.telling}::pg_snapshot` : sql`pg_current_snapshot()`
  // The first event of a fact has the fact's id.
  // every space: there is one sequencer
  const isFresh = state.isRestored
    ? sql`not exists (
        select 1 from events where events.space_id = fact.space_id and events.environment = fact.environment
          and events.id = fact.id)`
    : sql`pg_visible_in_snapshot(xid, ${window}) and not pg_visible_in_snapshot(xid, ${state.told}::pg_snapshot)`
  const row = await tx.one<Round>(sql`
    -- every space: there is one sequencer
    with fresh as materialized (
      select number, space_id, environment, id, types, object_id, posting, at from event_facts fact
      where number > ${state.after} and ${isFresh}
      order by number limit ${maxFacts}
    ), told as (
      select number, space_id, environment, fresh.id, at, 0 as part, line.place,
        'financial_transaction.created' as type, line.id as object_id
      from fresh cross join lateral ledger_told_lines(space_id, environment, posting) as line
      where posting is not null
      union all
      select number, space_id, environment, fresh.id, at, 1, named.place, named.type, object_id
      from fresh cross join lateral unnest(types) with ordinality as named (type, place)
    ), numbered as (
      select told.*, row_number() over (order by number, part, place) as nth,
        row_number() over (partition by number order by part, place) as nth_of_fact,
        row_number() over (partition by space_id, environment order by number, part, place) as nth_of_scope,
        max(at) over (partition by space_id, environment order by number, part, place) as latest_at
      from told
    ), counted as (
      insert into event_counters (space_id, environment, sequence, latest_at)
      select space_id, environment, count(*), max(at) from told group by space_id, environment
      on conflict (space_id, environment) do update set sequence = event_counters.sequence + excluded.sequence,
        latest_at = greatest(event_counters.latest_at, excluded.latest_at)
    ), logged as (
      insert into events (space_id, environment, position, sequence, id, type, object_id, fact_id, fact_number, at,
        latest_at)
      select n.space_id, n.environment, ${state.position} + nth, coalesce(before.sequence, 0) + nth_of_scope,
        event_id(n.id, nth_of_fact), type, n.object_id, n.id, number, at, greatest(before.latest_at, n.latest_at)
      from numbered n
      -- As it was before this statement.
      left join event_counters before on before.space_id = n.space_id and before.environment = n.environment
      order by nth
      returning space_id, environment, position, id, type, object_id, at
    ), delivered as (
      insert into webhook_deliveries (space_id, environment, id, webhook_id, position, status, next_attempt_at, created_at)
      select e.space_id, e.environment, delivery_id(e.id, webhook.id), webhook.id, e.position, 'pending', e.at, e.at
      from logged e
      join webhooks webhook on webhook.space_id = e.space_id and webhook.environment = e.environment
        and ${isSubscribed}
      where webhook.enabled and webhook.deleted_at is null
    ), to_chain as (
      insert into unchained (space_id, environment) select distinct space_id, environment from fresh
    )
    select (select count(*)::int from fresh) as facts, (select count(*) from logged) as events,
      (select max(number) from fresh) as last_number,
      ${window}::text as window,
      ${state.isRestored ? lastRestored : sql`null::bigint`} as last_restored,
      (select string_agg(distinct environment || ' ' || space_id, ',') from logged) as scopes`)
  return row!
}

// every space: there is one sequencer
const lastRestored = sql`(
  select max(number) from event_facts, event_sequencer
  where number > settled and xid >= pg_snapshot_xmax(pg_current_snapshot()))`

/** Whether event `e` is for endpoint `webhook`. A ping is for the one that it is about. */
export const isSubscribed = sql`case e.type when 'webhook.ping' then e.object_id = webhook.id
  else webhook.subscriptions && array['*', e.type, split_part(e.type, '.', 1) || '.*'] end`

/** Keeps where the round ended. `isDone`: there is no more in its window. */
export function keepState(
  tx: Tx,
  { lastNumber }: Look,
  state: State,
  round: Round,
  isDone: boolean,
): Promise<number> {
  const position = state.position + round.events
  if (!isDone)
    return tx.run(sql`
      update event_sequencer set telling = ${state.isRestored ? null : round.window}::pg_snapshot, position = ${position},
        telling_after = ${state.isRestored ? 0n : round.lastNumber}`)
  const isSettled = sql`mark_xid <= pg_snapshot_xmin(${round.window}::pg_snapshot)`
  // Of a restored database all facts that came with it are settled: their transactions count no more.
  const settled = state.isRestored
    ? sql`greatest(settled, ${round.lastRestored}::bigint)`
    : sql`case when ${isSettled} then mark else settled end`
  // Whoever has a number up to the last one took his transaction id before it, and so before this transaction took its
  // own. The end of a snapshot is no such bound: it may stand below transactions that are under way.
  return tx.run(sql`
    update event_sequencer set told = ${round.window}::pg_snapshot, telling = null, telling_after = 0,
      position = ${position}, settled = ${settled},
      mark = case when ${isSettled} or ${state.isRestored} then greatest(mark, ${lastNumber}) else mark end,
      mark_xid = case when ${isSettled} or ${state.isRestored} then pg_current_xact_id() else mark_xid end`)
}

/** Tells every node whose events are new. */
export const notify = (tx: Tx, channel: string, payload: string) =>
  tx.run(sql`select pg_notify(${channel}, ${payload})`)
