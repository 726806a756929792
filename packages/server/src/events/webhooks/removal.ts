import type { Database, Tx } from '../../platform/db/database.ts'
import { enqueue, type JobPayload, schedule, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { deleteDeliveries } from './delivery-store.ts'
import { deleteHours } from './hour-store.ts'

const job = 'webhooks.remove-deliveries'
const batchSize = 2_000 // deliveries of a removed webhook deleted in one transaction
const batchesOfRun = 25 // transactions that delete deliveries in one run of the job
const lowestId = '00000000-0000-0000-0000-000000000000'

/** After this time, deliveries can no longer be written by a statement that saw the webhook before its removal. */
const straysMs = 60_000

/**
 * Enqueues the removal of a webhook's deliveries, and schedules another run for deliveries that are written in
 * the meantime.
 */
export function removeDeliveries(tx: Tx, payload: JobPayload, at: Date): void {
  enqueueRemoval(tx, payload)
  schedule(tx, new Date(at.getTime() + straysMs), job, payload, { asksOthers: true })
}

/**
 * Enqueues the removal. Only one removal runs at a time across all Spaces. There is no hurry, because these
 * rows are no longer visible.
 */
const enqueueRemoval = (tx: Tx, payload: JobPayload) => enqueue(tx, job, payload, null, job)

/**
 * Returns the job that deletes the deliveries and counts of a removed webhook, a few batches in each run. If there are
 * more, another run is added to the end of the queue.
 */
export const removalJobs = (db: Database): Jobs => ({
  [job]: async (payload) => {
    const [scope, webhookId] = [scopeOf(payload), String(payload.webhookId)]
    let after: string | undefined = String(payload.after ?? lowestId)
    for (let i = 0; i < batchesOfRun && after !== undefined; i++) {
      const from: string = after
      after = await db.transaction((tx) => deleteDeliveries(tx, scope, webhookId, from, batchSize))
    }
    if (after === undefined) await db.transaction((tx) => deleteHours(tx, scope, webhookId))
    else await db.transaction((tx) => enqueueRemoval(tx, { ...payload, after }))
  },
})
