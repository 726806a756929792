import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { repeat } from '../repeat.ts'
import { recoverAbandoned } from './aliveness.ts'
import { enqueueDue } from './queue.ts'
import { type Calendar, type Jobs, keepRunning, openRunner, type RunnerOptions } from './runner.ts'

export type Worker = { stop(): Promise<void> }

const sweepEveryMs = 200
const recoverEveryMs = 2_000

export async function startWorker(
  db: Database,
  connection: pg.ClientConfig,
  jobs: Jobs,
  calendar: Calendar,
  options: RunnerOptions,
): Promise<Worker> {
  const { log } = options
  const stopRunning = await keepRunning(log, () => openRunner(db, connection, jobs, calendar, options))
  const stopSweep = repeat(sweepEveryMs, log, () => db.transaction((tx) => enqueueDue(tx, new Date())))
  const stopRecovery = repeat(recoverEveryMs, log, () => recoverAbandoned(db))
  return {
    async stop() {
      await Promise.all([stopSweep(), stopRecovery()])
      await stopRunning()
    },
  }
}
