import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** State between rounds, stored in one row. */
export type SequencerState = {
  /** The snapshot whose facts are all sequenced, and that of an unfinished round, as PostgreSQL writes them. */
  sequencedSnapshot: string
  roundSnapshot: string | null
  /** Facts up to this number are processed. */
  after: bigint
  position: bigint
  /** True if the database was restored from a dump, which makes transaction ids start over. */
  isRestored: boolean
}

export type SequencerRound = {
  /** Facts that became visible; each was sequenced or put into the backlog. */
  facts: number
  postponed: number
  events: bigint
  lastNumber: bigint | null
  snapshot: string
  /**
   * The last fact that came with a restored database: visible, although its transaction id is in the future
   * here.
   */
  lastRestored: bigint | null
  /** `<environment> <Space>` of all scopes with new events. */
  scopes: string[]
}

export type SequencerPoll = {
  /** Unsequenced facts became visible, or the state can advance. */
  isFresh: boolean
  /** The database was restored from a dump, so each fact is checked for existing events. */
  isRestored: boolean
  isBacklogWaiting: boolean
  /** The highest fact number assigned. */
  lastNumber: bigint
}

/** Transaction ids have started over: the sequencer has seen higher ones than have been assigned since. */
const isRestored = sql`pg_snapshot_xmax(told) > pg_snapshot_xmax(pg_current_snapshot())`

/** Checks for work with a cheap read, before the transaction that does it. */
export const pollSequencer = (db: Reader) =>
  // every space: there is one sequencer. Ordered by number to use its index: with `exists`, the planner scans
  // the day's table from its start, expecting an early match.
  db.only<SequencerPoll>(sql`
    select telling is not null or ${isRestored}
      or (mark > settled and mark_xid <= pg_snapshot_xmin(pg_current_snapshot()))
      or (
        select number from event_facts fact
        where fact.number > sequencer.settled and not pg_visible_in_snapshot(fact.xid, sequencer.told)
        order by number limit 1
      ) is not null as is_fresh,
      ${isRestored} as is_restored,
      (select place from event_backlog order by space_id, environment, place limit 1) is not null
        as is_backlog_waiting,
      (select last_value - case when is_called then 0 else 1 end from event_numbers) as last_number
    from event_sequencer sequencer`)

/** Locks the state; returns `undefined` if another node holds it. */
export const lockState = (tx: Tx) =>
  // every space: there is one sequencer
  tx.one<SequencerState>(sql`
    select told::text as sequenced_snapshot, telling::text as round_snapshot, greatest(settled, telling_after) as after,
      position, ${isRestored} as is_restored
    from event_sequencer for update skip locked`)

/** Saves the end of the round. `isDone`: its snapshot has no more facts. */
export function saveState(
  tx: Tx,
  { lastNumber }: SequencerPoll,
  state: SequencerState,
  round: SequencerRound,
  isDone: boolean,
): Promise<number> {
  const position = state.position + round.events
  if (!isDone)
    return tx.run(sql`
      update event_sequencer set telling = ${state.isRestored ? null : round.snapshot}::pg_snapshot,
        position = ${position}, telling_after = ${state.isRestored ? 0n : round.lastNumber}`)
  const isSettled = sql`mark_xid <= pg_snapshot_xmin(${round.snapshot}::pg_snapshot)`
  // In a restored database, all restored facts are settled: their transaction ids no longer matter.
  const settled = state.isRestored
    ? sql`greatest(settled, ${round.lastRestored}::bigint)`
    : sql`case when ${isSettled} then mark else settled end`
  // Every number up to the last was assigned to a transaction that already had an id, and this transaction gets
  // its own id later. The end of a snapshot is not such a bound: transactions in progress may have higher ids.
  return tx.run(sql`
    update event_sequencer set told = ${round.snapshot}::pg_snapshot, telling = null, telling_after = 0,
      position = ${position}, settled = ${settled},
      mark = case when ${isSettled} or ${state.isRestored} then greatest(mark, ${lastNumber}) else mark end,
      mark_xid = case when ${isSettled} or ${state.isRestored} then pg_current_xact_id() else mark_xid end`)
}

// every space: there is one sequencer
export const savePosition = (tx: Tx, position: bigint) =>
  tx.run(sql`update event_sequencer set position = ${position}`)

/** Returns whether another client is active in this database now. */
export const isDatabaseBusy = async (tx: Tx): Promise<boolean> =>
  (await tx.one(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'active'
      and pid <> pg_backend_pid() limit 1`)) !== undefined
