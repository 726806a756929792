import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import type { EventSettings } from './settings.ts'

// Event retention is set by the operator, so it uses real time.

export const retentionJobs = ({ db, settings }: Pick<Platform<EventSettings>, 'db' | 'settings'>): Jobs => ({
  'events.retain': () => retainEvents(db, settings.eventRetentionMs, new Date()),
})

const retainLock = 715_003
const minPartitionMs = 20 * 3_600_000
// A query without a time range reads the index of every partition.
const maxPartitions = 32 // partitions of events that are kept, about

/**
 * Starts a new partition of facts, events and deliveries when due, and drops partitions older than the
 * retention. Deletes no single rows and blocks no writers. Runs on one node at a time; after an interruption,
 * the next run continues.
 *
 * See docs/decisions/0028-event-partitions.md.
 */
export function retainEvents(db: Database, retentionMs: number, now: Date): Promise<void> {
  return alone(db, async () => {
    await beginNext(db, Math.max(minPartitionMs, retentionMs / maxPartitions), now)
    const endedBefore = new Date(now.getTime() - retentionMs)
    for (const table of await selectExpired(db, endedBefore)) await drop(db, table)
    await db.transaction((tx) => forgetPartitions(tx, endedBefore))
  })
}

/** Creates partitions two ahead, so that the tables exist a day before they are used. */
async function beginNext(db: Database, partitionMs: number, now: Date): Promise<void> {
  const ending = await selectEnding(db, new Date(now.getTime() - partitionMs))
  if (!ending) return
  const next = ending.number + 1
  await db.transaction((tx) => createPartition(tx, next))
  await db.transaction((tx) => createPartition(tx, next + 1))
  // Moves the numbers first: if this is interrupted, facts may be one partition ahead of their events.
  await db.transaction((tx) => moveNumbers(tx, next))
  await db.transaction((tx) => beginPartition(tx, next, now))
}

/**
 * Detaches a table concurrently: it disappears at once, and nobody waits for its last readers. Cannot run in a
 * transaction. If it times out, the queue retries it and finishes the pending detach.
 */
async function drop(
  { pool }: Database,
  { parent, name, isAttached, isPending }: ExpiredTable,
): Promise<void> {
  if (isAttached)
    await pool.query(
      `alter table ${parent} detach partition ${name} ${isPending ? 'finalize' : 'concurrently'}`,
    )
  await pool.query(`drop table ${name}`)
}

/** Runs `work` unless another node is running it. The lock ends with its connection in any case. */
async function alone({ pool }: Database, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_free', [retainLock])
    if (rows[0].is_free) await work()
  } finally {
    client.release(true)
  }
}

/**
 * Returns the current partition if it should end: it began before `beganBefore`, has events, and all earlier
 * facts are sequenced. So a fact's events are in the same partition or the next.
 */
const selectEnding = (db: Reader, beganBefore: Date) =>
  // every space: a partition holds rows of all Spaces
  db.one<{ number: number }>(sql`
    select number from event_partitions partition cross join event_sequencer sequencer
    where number = (select max(number) from event_partitions where began_at is not null)
      and began_at <= ${beganBefore}
      and sequencer.position >= event_partition_start(number)
      and sequencer.settled >= event_partition_start(number) - 1
      and coalesce((select min(fact_number) from event_backlog) >= event_partition_start(number), true)`)

/** Creates a partition if it does not exist. Neither creating nor attaching a table blocks writers. */
const createPartition = (tx: Tx, number: number) =>
  // every space: a partition holds rows of all Spaces
  tx.run(sql`
    select create_event_partition(${number})
    where not exists (select 1 from event_partitions where number = ${number})`)

/** Numbers all further facts for this partition. A rollback does not undo it. */
const moveNumbers = (tx: Tx, number: number) =>
  tx.run(sql`
    select setval('event_numbers', event_partition_start(${number}) - 1) from event_numbers
    where last_value < event_partition_start(${number}) - 1`)

/** Writes all further events to this partition, once the current round has ended. */
async function beginPartition(tx: Tx, number: number, now: Date): Promise<void> {
  // every space: there is one sequencer. Older facts belong to transactions before this one, which begins after
  // the numbers were moved, so the mark settles them in time even if nothing else is written.
  await tx.run(sql`
    update event_sequencer set position = greatest(position, event_partition_start(${number}) - 1),
      mark = case when mark = settled then greatest(mark, event_partition_start(${number}) - 1) else mark end,
      mark_xid = case when mark = settled then pg_current_xact_id() else mark_xid end`)
  await tx.run(sql`update event_partitions set began_at = ${now} where number = ${number}`)
}

/** A table that still exists. `isPending`: its detach was interrupted. */
type ExpiredTable = {
  parent: 'webhook_deliveries' | 'events' | 'event_facts'
  name: string
  isAttached: boolean
  isPending: boolean
}

/**
 * Lists tables of partitions that ended before `endedBefore`, oldest first, deliveries before their events.
 * Facts are kept until the events of the next partition expire, because their last ones were sequenced there.
 */
const selectExpired = (db: Reader, endedBefore: Date) =>
  // every space: a partition holds rows of all Spaces
  db.query<ExpiredTable>(sql`
    select parent, name, inhrelid is not null as is_attached, coalesce(inhdetachpending, false) as is_pending
    from event_partitions partition
    cross join (values ('webhook_deliveries', 1), ('events', 1), ('event_facts', 2)) as part (parent, needed)
    join event_partitions later on later.number = partition.number + needed and later.began_at <= ${endedBefore}
    cross join lateral (select parent || '_' || partition.number as name) named
    left join pg_inherits on inhrelid = to_regclass(name)
    where to_regclass(name) is not null
    order by is_pending desc, partition.number, needed, parent desc`)

/** Deletes the rows of partitions without tables. */
const forgetPartitions = (tx: Tx, endedBefore: Date) =>
  tx.run(sql`
    delete from event_partitions partition using event_partitions later
    where later.number = partition.number + 2 and later.began_at <= ${endedBefore}`)
