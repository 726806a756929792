import type { Database } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import {
  beginPartition,
  createPartition,
  dropPartition,
  forgetPartitions,
  moveNumbers,
  selectEnding,
  selectExpired,
} from './partition-store.ts'
import type { EventSettings } from './settings.ts'

// The operator determines how long events are kept, so this uses the wall-clock time rather than the Spaces'
// clocks.

export const retentionJobs = ({ db, settings }: Pick<Platform<EventSettings>, 'db' | 'settings'>): Jobs => ({
  'events.retain': () => retainEvents(db, settings.eventRetentionMs, new Date()),
})

const retainLock = 715_003
const minPartitionMs = 20 * 3_600_000
// A query without a time range reads an index in every partition.
const maxPartitions = 32 // approximate number of event partitions that are kept

/**
 * Starts a new partition of facts, events and deliveries when the current one is old enough, and drops
 * partitions that are older than the retention period. It never deletes individual rows or blocks writers. It
 * runs on one node at a time. If it is interrupted, the next run continues where it stopped.
 *
 * See docs/decisions/0028-event-partitions.md.
 */
export async function retainEvents(db: Database, retentionMs: number, now: Date): Promise<void> {
  await db.alone(retainLock, async () => {
    await beginNext(db, Math.max(minPartitionMs, retentionMs / maxPartitions), now)
    const endedBefore = new Date(now.getTime() - retentionMs)
    for (const table of await selectExpired(db, endedBefore)) await dropPartition(db, table)
    await db.transaction((tx) => forgetPartitions(tx, endedBefore))
  })
}

/**
 * If the current partition has to be closed, starts the next one and creates the tables of the one after that,
 * so that tables exist a day before they are used.
 */
async function beginNext(db: Database, partitionMs: number, now: Date): Promise<void> {
  const ending = await selectEnding(db, new Date(now.getTime() - partitionMs))
  if (!ending) return
  const next = ending.number + 1
  await db.transaction((tx) => createPartition(tx, next))
  await db.transaction((tx) => createPartition(tx, next + 1))
  // Facts move to the next partition before events do. If the job is interrupted in between, facts are one
  // partition ahead of their events.
  await db.transaction((tx) => moveNumbers(tx, next))
  await db.transaction((tx) => beginPartition(tx, next, now))
}
