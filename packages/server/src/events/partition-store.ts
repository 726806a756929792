import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/**
 * Returns the current partition if it has to be closed. This is the case if it began before `beganBefore`, it
 * has events, and all facts of earlier partitions have been sequenced. These conditions ensure that the events
 * of a fact are in the same partition as the fact or in the next one.
 */
export const selectEnding = (db: Reader, beganBefore: Date) =>
  // every space: a partition holds rows of all Spaces
  db.one<{ number: number }>(sql`
    select number from event_partitions partition cross join event_sequencer sequencer
    where number = (select max(number) from event_partitions where began_at is not null)
      and began_at <= ${beganBefore}
      and sequencer.position >= event_partition_start(number)
      and sequencer.settled >= event_partition_start(number) - 1
      and coalesce((select min(fact_number) from event_backlog) >= event_partition_start(number), true)`)

/** Creates a partition if it does not exist. Creating and attaching its tables blocks no writers. */
export const createPartition = (tx: Tx, number: number) =>
  // every space: a partition holds rows of all Spaces
  tx.run(sql`
    select create_event_partition(${number})
    where not exists (select 1 from event_partitions where number = ${number})`)

/** Ensures that all later facts get numbers that belong to this partition. A rollback does not undo this. */
export const moveNumbers = (tx: Tx, number: number) =>
  tx.run(sql`
    select setval('event_numbers', event_partition_start(${number}) - 1) from event_numbers
    where last_value < event_partition_start(${number}) - 1`)

/** Ensures that all later events get positions in this partition, once the current round has ended. */
export async function beginPartition(tx: Tx, number: number, now: Date): Promise<void> {
  // every space: there is one sequencer. This transaction began after the numbers were moved, so all older
  // facts belong to transactions that precede it. The new mark therefore ensures that these facts are settled
  // even if nothing else is written.
  await tx.run(sql`
    update event_sequencer set position = greatest(position, event_partition_start(${number}) - 1),
      mark = case when mark = settled then greatest(mark, event_partition_start(${number}) - 1) else mark end,
      mark_xid = case when mark = settled then pg_current_xact_id() else mark_xid end`)
  await tx.run(sql`update event_partitions set began_at = ${now} where number = ${number}`)
}

/**
 * A table of an expired partition that has not been dropped yet. `isPending` is true if detaching it was
 * interrupted.
 */
type ExpiredTable = {
  parent: 'webhook_deliveries' | 'sequenced_facts' | 'event_facts'
  name: string
  isAttached: boolean
  isPending: boolean
}

/**
 * Returns the tables of partitions that ended before `endedBefore`, oldest first, with deliveries before their
 * events. Facts are kept until the events of the next partition expire, because some of those events belong to
 * these facts.
 */
export const selectExpired = (db: Reader, endedBefore: Date) =>
  // every space: a partition holds rows of all Spaces
  db.query<ExpiredTable>(sql`
    select parent, name, inhrelid is not null as is_attached, coalesce(inhdetachpending, false) as is_pending
    from event_partitions partition
    cross join (values ('webhook_deliveries', 1), ('sequenced_facts', 1), ('event_facts', 2)) as part (parent, needed)
    join event_partitions later on later.number = partition.number + needed and later.began_at <= ${endedBefore}
    cross join lateral (select parent || '_' || partition.number as name) named
    left join pg_inherits on inhrelid = to_regclass(name)
    where to_regclass(name) is not null
    order by is_pending desc, partition.number, needed, parent desc`)

/**
 * Detaches and drops a table. Detaching it concurrently makes it disappear immediately, without waiting for its
 * last readers, but is not possible in a transaction. If it times out, the job is retried, and then finishes
 * the pending detach.
 */
export async function dropPartition(
  { pool }: Database,
  { parent, name, isAttached, isPending }: ExpiredTable,
): Promise<void> {
  if (isAttached)
    await pool.query(
      `alter table ${parent} detach partition ${name} ${isPending ? 'finalize' : 'concurrently'}`,
    )
  await pool.query(`drop table ${name}`)
}

/** Deletes the records of partitions whose tables have been dropped. */
export const forgetPartitions = (tx: Tx, endedBefore: Date) =>
  tx.run(sql`
    delete from event_partitions partition using event_partitions later
    where later.number = partition.number + 2 and later.began_at <= ${endedBefore}`)
