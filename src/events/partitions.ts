import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import type { EventSettings } from './settings.ts'

// How long events are kept is the operator's affair: its times are real time.

export const retentionJobs = ({ db, settings }: Pick<Platform<EventSettings>, 'db' | 'settings'>): Jobs => ({
  'events.retain': () => retainEvents(db, settings.eventRetentionMs, new Date()),
})

const retainLock = 715_003
const minPartitionMs = 20 * 3_600_000
// A query without a time reads the index of each partition.
const maxPartitions = 32 // limit: partitions of events that are kept, about

/**
 * Begins a new partition of facts, events and deliveries when it is time, and drops those that are older than the
 * retention: nothing is deleted row by row, and writers never wait. One node at a time does so. When it is interrupted,
 * the next run goes on from there.
 */
export function retainEvents(db: Database, retentionMs: number, now: Date): Promise<void> {
  return alone(db, async () => {
    await beginNext(db, Math.max(minPartitionMs, retentionMs / maxPartitions), now)
    const endedBefore = new Date(now.getTime() - retentionMs)
    for (const table of await selectExpired(db, endedBefore)) await drop(db, table)
    await db.transaction((tx) => forgetPartitions(tx, endedBefore))
  })
}

/** The one after the next is made as well: a partition's tables are there a day before anything can stand in them. */
async function beginNext(db: Database, partitionMs: number, now: Date): Promise<void> {
  const ending = await selectEnding(db, new Date(now.getTime() - partitionMs))
  if (!ending) return
  const next = ending.number + 1
  await db.transaction((tx) => createPartition(tx, next))
  await db.transaction((tx) => createPartition(tx, next + 1))
  // Numbers first: facts may be a partition ahead of their events, should this end in between.
  await db.transaction((tx) => moveNumbers(tx, next))
  await db.transaction((tx) => beginPartition(tx, next, now))
}

/**
 * Detached concurrently: nobody sees the table any more, and nobody waits while the last readers end. This cannot run in a
 * transaction. When it takes too long the queue tries again, and finishes what had begun.
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

/** Does `work` unless another node is doing it. The lock ends with its connection, however that ends. */
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
 * The current partition when its time is over: it began before `beganBefore`, has events, and all facts from before it
 * are sequenced. So a fact's events stand in the fact's own partition or in the next.
 */
const selectEnding = (db: Reader, beganBefore: Date) =>
  // every space: a partition holds rows of all
  db.one<{ number: number }>(sql`
    select number from event_partitions partition cross join event_sequencer sequencer
    where number = (select max(number) from event_partitions where began_at is not null)
      and began_at <= ${beganBefore}
      and sequencer.position >= event_partition_start(number)
      and sequencer.settled >= event_partition_start(number) - 1
      and coalesce((select min(fact_number) from event_backlog) >= event_partition_start(number), true)`)

/** Makes this partition unless it is there. Neither making nor attaching a table stops writers. */
const createPartition = (tx: Tx, number: number) =>
  // every space: a partition holds rows of all
  tx.run(sql`
    select create_event_partition(${number})
    where not exists (select 1 from event_partitions where number = ${number})`)

/** From now on facts are numbered for this partition. No rollback undoes that. */
const moveNumbers = (tx: Tx, number: number) =>
  tx.run(sql`
    select setval('event_numbers', event_partition_start(${number}) - 1) from event_numbers
    where last_value < event_partition_start(${number}) - 1`)

/** From now on events are written to this partition, once a round that is under way has ended. */
async function beginPartition(tx: Tx, number: number, now: Date): Promise<void> {
  // every space: there is one sequencer. All that is older has a transaction before this one, which begins after the
  // numbers were moved: the mark makes it known as settled in time, also when nothing more is written.
  await tx.run(sql`
    update event_sequencer set position = greatest(position, event_partition_start(${number}) - 1),
      mark = case when mark = settled then greatest(mark, event_partition_start(${number}) - 1) else mark end,
      mark_xid = case when mark = settled then pg_current_xact_id() else mark_xid end`)
  await tx.run(sql`update event_partitions set began_at = ${now} where number = ${number}`)
}

/** A table that is still there. `isPending`: its detaching was interrupted. */
type ExpiredTable = {
  parent: 'webhook_deliveries' | 'events' | 'event_facts'
  name: string
  isAttached: boolean
  isPending: boolean
}

/**
 * The tables of partitions that ended before `endedBefore`, oldest first, and deliveries before their events. Facts are
 * needed until the events of the next partition are gone as well: those of its last moments were sequenced in the next.
 */
const selectExpired = (db: Reader, endedBefore: Date) =>
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
const forgetPartitions = (tx: Tx, endedBefore: Date) =>
  tx.run(sql`
    delete from event_partitions partition using event_partitions later
    where later.number = partition.number + 2 and later.began_at <= ${endedBefore}`)
