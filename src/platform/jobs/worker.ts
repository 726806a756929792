import type pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics.ts'
import { repeat } from '../repeat.ts'
import { recoverAbandoned } from './aliveness.ts'
import { followMovedClocks } from './moved-clocks.ts'
import { enqueueDue } from './queue.ts'
import { type Calendar, type Jobs, keepRunning, openRunner, type RunnerOptions, timeJobs } from './runner.ts'

export type Worker = { stop(): Promise<void> }

const sweepEveryMs = 200
const recoverEveryMs = 2_000

export async function startWorker(
  db: Database,
  connection: pg.ClientConfig,
  given: Jobs,
  calendar: Calendar,
  options: RunnerOptions & { clock: Clock; metrics: Metrics },
): Promise<Worker> {
  const { log, clock, metrics } = options
  const jobs = timeJobs(given, metrics)
  const stopRunning = await keepRunning(log, () => openRunner(db, connection, jobs, calendar, options))
  const stopSweep = repeat(sweepEveryMs, log, () => db.transaction((tx) => enqueueDue(tx, new Date())))
  const stopFollowing = repeat(sweepEveryMs, log, () => followMovedClocks(db, clock, jobs))
  const stopRecovery = repeat(recoverEveryMs, log, () => recoverAbandoned(db))
  return {
    async stop() {
      await Promise.all([stopSweep(), stopFollowing(), stopRecovery()])
      await stopRunning()
    },
  }
}
