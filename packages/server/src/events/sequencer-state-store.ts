import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** The state that is kept between rounds, in a single row. */
export type SequencerState = {
  /**
   * The snapshot up to which all facts have been sequenced, in PostgreSQL's text format. `roundSnapshot` is the
   * snapshot of an unfinished round.
   */
  sequencedSnapshot: string
  roundSnapshot: string | null
  /** Facts up to this number have been processed. */
  after: bigint
  position: bigint
  /** True if the database was restored from a dump. In this case, transaction ids have started over. */
  isRestored: boolean
}

export type SequencerRound = {
  /** Number of facts that became visible. Each of them was sequenced or added to the backlog. */
  facts: number
  /** True if all facts in the snapshot have been read. Otherwise, the next round continues after `readUpTo`. */
  isAllRead: boolean
  readUpTo: bigint | null
  postponed: number
  events: bigint
  snapshot: string
  /**
   * Number of the last fact that was restored with the database. The fact is visible, although its transaction
   * id has not been assigned yet in this database.
   */
  lastRestored: bigint | null
  /** All scopes with new events, in the form `<environment> <Space>`. */
  scopes: string[]
  /** Those of them that have webhooks. */
  receivers: string[]
}

export type SequencerPoll = {
  /** True if unsequenced facts have become visible, or the state can advance. */
  isFresh: boolean
  /** True if the database was restored from a dump, so that each fact must be checked for existing events. */
  isRestored: boolean
  isBacklogWaiting: boolean
  /** The highest fact number that has been assigned. */
  lastNumber: bigint
}

/**
 * SQL for whether transaction ids have started over, which is the case if the sequencer has seen higher ids
 * than this database has assigned.
 */
const isRestored = sql`pg_snapshot_xmax(told) > pg_snapshot_xmax(pg_current_snapshot())`

/** Checks whether there is work. This is a cheap read that precedes the transaction that does the work. */
export const pollSequencer = (db: Reader) =>
  // every space: there is one sequencer. Ordering by number makes the planner use an index. With `exists`, it
  // would scan the day's table from the start, expecting to find a match soon.
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

/** Locks and returns the state. Returns `undefined` if another node has locked it. */
export const lockState = (tx: Tx) =>
  // every space: there is one sequencer
  tx.one<SequencerState>(sql`
    select told::text as sequenced_snapshot, telling::text as round_snapshot, greatest(settled, telling_after) as after,
      position, ${isRestored} as is_restored
    from event_sequencer for update skip locked`)

/** Saves the state at the end of a round. */
export function saveState(
  tx: Tx,
  { lastNumber }: SequencerPoll,
  state: SequencerState,
  round: SequencerRound,
): void {
  const position = state.position + round.events
  if (!round.isAllRead) {
    tx.send(sql`
      update event_sequencer set telling = ${state.isRestored ? null : round.snapshot}::pg_snapshot,
        position = ${position}, telling_after = ${state.isRestored ? 0n : round.readUpTo}`)
    return
  }
  const isSettled = sql`mark_xid <= pg_snapshot_xmin(${round.snapshot}::pg_snapshot)`
  // In a restored database, all restored facts are settled, because their transaction ids no longer matter.
  const settled = state.isRestored
    ? sql`greatest(settled, ${round.lastRestored}::bigint)`
    : sql`case when ${isSettled} then mark else settled end`
  // Every fact number up to the last one was assigned to a transaction that already had an id. This transaction
  // gets its id only now, so its id is an upper bound for theirs. The xmax of a snapshot would not be an upper
  // bound, because transactions in progress may have higher ids.
  tx.send(sql`
    update event_sequencer set told = ${round.snapshot}::pg_snapshot, telling = null, telling_after = 0,
      position = ${position}, settled = ${settled},
      mark = case when ${isSettled} or ${state.isRestored} then greatest(mark, ${lastNumber}) else mark end,
      mark_xid = case when ${isSettled} or ${state.isRestored} then pg_current_xact_id() else mark_xid end`)
}

// every space: there is one sequencer
export const savePosition = (tx: Tx, position: bigint) =>
  tx.send(sql`update event_sequencer set position = ${position}`)

/** Returns whether another client is currently active in this database. */
export const isDatabaseBusy = async (tx: Tx): Promise<boolean> =>
  (await tx.one(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'active'
      and pid <> pg_backend_pid() limit 1`)) !== undefined
