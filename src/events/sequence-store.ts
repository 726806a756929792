import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Round, State } from './telling-store.ts'

export type Look = {
  /** Facts became visible that were not met yet, or the state of the sequencer can be brought forward. */
  isFresh: boolean
  isBacklogWaiting: boolean
  /** The last number given to any fact. */
  lastNumber: bigint
}

/** One cheap look, before the transaction that does the work. */
export async function lookForWork(db: Reader): Promise<Look> {
  // every space: there is one sequencer. In order, so that the facts are met along their numbers: with `exists` the
  // planner reads the table of the day from its start, in the belief that it soon finds one.
  const row = await db.only<Look>(sql`
    select telling is not null or pg_snapshot_xmax(told) > pg_snapshot_xmax(pg_current_snapshot())
      or (mark > settled and mark_xid <= pg_snapshot_xmin(pg_current_snapshot()))
      or (
        select number from event_facts fact
        where fact.number > sequencer.settled and not pg_visible_in_snapshot(fact.xid, sequencer.told)
        order by number limit 1
      ) is not null as is_fresh,
      exists (select 1 from event_backlog) as is_backlog_waiting,
      (select last_value - case when is_called then 0 else 1 end from event_numbers) as last_number
    from event_sequencer sequencer`)
  return row
}

/** Locks the state; `undefined` while another node has it. */
export function lockState(tx: Tx): Promise<State | undefined> {
  // every space: there is one sequencer
  return tx.one<State>(sql`
    select told::text, telling::text, greatest(settled, telling_after) as after, position,
      pg_snapshot_xmax(told) > pg_snapshot_xmax(pg_current_snapshot()) as is_restored
    from event_sequencer for update skip locked`)
}

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

/** Keeps how far positions have come. */
// every space: there is one sequencer
export const keepPosition = (tx: Tx, position: bigint) =>
  tx.run(sql`update event_sequencer set position = ${position}`)

/** Whether anybody else is at work in this database at this moment. */
export const isDatabaseBusy = async (tx: Tx): Promise<boolean> =>
  (await tx.one(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'active'
      and pid <> pg_backend_pid() limit 1`)) !== undefined
