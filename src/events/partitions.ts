import type { Database } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import {
  beginPartition,
  createPartition,
  type ExpiredTable,
  forgetPartitions,
  moveNumbers,
  selectEnding,
  selectExpired,
} from './partition-store.ts'
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
