import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { schedule, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { publishBatch } from './presenting.ts'
import { type Batch, lockBatch, selectPayoutTotals, updateBatch } from './store.ts'

const [soonestMs, latestMs] = [1_000, 60_000] // minimum and maximum time until a batch is checked again

/**
 * Schedules the next check of a batch. The delay is a tenth of the time that has passed since the batch was
 * created or approved, but at most a minute. A batch that takes seconds is therefore completed within seconds,
 * and a batch that waits days for a provider is counted only once a minute. The checks are necessary because
 * payouts write nothing to their batch when they end.
 */
export const scheduleCompletion = (tx: Tx, { scope, id, approvalAt, createdAt }: Scoped<Batch>, at: Date) => {
  const takenMs = at.getTime() - (approvalAt ?? createdAt).getTime()
  const delayMs = Math.min(latestMs, Math.max(soonestMs, takenMs / 10))
  const dueAt = new Date(at.getTime() + delayMs)
  return schedule(tx, dueAt, 'payout-batches.settle', { ...scope, batchId: id })
}

/** The job that completes a batch once all of its payouts have ended. */
export const batchJobs = ({ db, clock }: Platform): Jobs => ({
  'payout-batches.settle': (payload) => {
    const scope = scopeOf(payload)
    return db.transaction((tx) => settleBatch(tx, scope, String(payload.batchId), clock.now(scope)))
  },
})

/** Completes a batch if all of its payouts have ended. Otherwise, schedules the next check. */
export async function settleBatch(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const batch = await lockBatch(tx, scope, id)
  if (batch?.status !== 'processing') return
  const tallies = await selectPayoutTotals(tx, scope, [batch.id])
  if (tallies.some(({ status }) => status === 'pending' || status === 'processing'))
    return scheduleCompletion(tx, { ...batch, scope }, at)
  const completed: Scoped<Batch> = { ...batch, scope, status: 'completed', updatedAt: at }
  await updateBatch(tx, completed)
  await publishBatch(tx, completed, 'payout_batch.completed')
}
