import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/**
 * The current partition when its time is over: it began before `beganBefore`, has events, and all facts from before it
 * are sequenced. So a fact's events stand in the fact's own partition or in the next.
 */
export const selectEnding = (db: Reader, beganBefore: Date) =>
  // every space: a partition holds rows of all
  db.one<{ number: number }>(sql`
    select number from event_partitions partition cross join event_sequencer sequencer
    where number = (select max(number) from event_partitions where began_at is not null)
      and began_at <= ${beganBefore}
      and sequencer.position >= event_partition_start(number)
      and sequencer.settled >= event_partition_start(number) - 1
      and not exists (select 1 from event_backlog where fact_number < event_partition_start(number))`)

/** Makes this partition unless it is there. Neither making nor attaching a table stops writers. */
export const createPartition = (tx: Tx, number: number) =>
  // every space: a partition holds rows of all
  tx.run(sql`
    select create_event_partition(${number})
    where not exists (select 1 from event_partitions where number = ${number})`)

/** From now on facts are numbered for this partition. No rollback undoes that. */
export const moveNumbers = (tx: Tx, number: number) =>
  tx.run(sql`
    select setval('event_numbers', event_partition_start(${number}) - 1) from event_numbers
    where last_value < event_partition_start(${number}) - 1`)

/** From now on events are written to this partition, once a round that is under way has ended. */
export async function beginPartition(tx: Tx, number: number, now: Date): Promise<void> {
  // every space: there is one sequencer. All that is older has a transaction before this one, which begins after the
  // numbers were moved: the mark makes it known as settled in time, also when nothing more is written.
  await tx.run(sql`
    update event_sequencer set position = greatest(position, event_partition_start(${number}) - 1),
      mark = case when mark = settled then greatest(mark, event_partition_start(${number}) - 1) else mark end,
      mark_xid = case when mark = settled then pg_current_xact_id() else mark_xid end`)
  await tx.run(sql`update event_partitions set began_at = ${now} where number = ${number}`)
}

/** A table that is still there. `isPending`: its detaching was interrupted. */
export type ExpiredTable = {
  parent: 'webhook_deliveries' | 'events' | 'event_facts'
  name: string
  isAttached: boolean
  isPending: boolean
}

/**
 * The tables of partitions that ended before `endedBefore`, oldest first, and deliveries before their events. Facts are
 * needed until the events of the next partition are gone as well: those of its last moments were sequenced in the next.
 */
export const selectExpired = (db: Reader, endedBefore: Date) =>
  // every space: a partition holds rows of all
  db.query<ExpiredTable>(sql`
    select parent, name, inhrelid is not null as is_attached, coalesce(inhdetachpending, false) as is_pending
    from event_partitions partition
    cross join (values ('webhook_deliveries', 1), ('events', 1), ('event_facts', 2)) as part (parent, needed)
    join event_partitions later on later.number = partition.number + needed and later.began_at <= ${endedBefore}
    cross join lateral (select parent || '_' || partition.number as name) named
    left join pg_inherits on inhrelid = to_regclass(name)
    where to_regclass(name) is not null
    order by is_pending desc, partition.number, needed, parent desc`)

/** Deletes the rows of partitions that have no tables left. */
export const forgetPartitions = (tx: Tx, endedBefore: Date) =>
  tx.run(sql`
    delete from event_partitions partition using event_partitions later
    where later.number = partition.number + 2 and later.began_at <= ${endedBefore}`)
