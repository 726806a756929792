import type { Database, Tx } from '../../platform/db/database.ts'
import { enqueue, type JobPayload, schedule, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { deleteDeliveries } from './delivery-store.ts'

const job = 'webhooks.remove-deliveries'
const batchSize = 2_000 // deliveries of a removed webhook deleted in one transaction
const batchesOfRun = 25 // transactions that delete deliveries in one run of the job
const lowestId = '00000000-0000-0000-0000-000000000000'

/** After this time, no statement that saw the webhook before its removal can still write deliveries. */
const straysMs = 60_000

/** Removes the deliveries of a webhook now, and again later those being written meanwhile. */
export async function removeDeliveries(tx: Tx, payload: JobPayload, at: Date): Promise<void> {
  await enqueueRemoval(tx, payload)
  await schedule(tx, new Date(at.getTime() + straysMs), job, payload, { asksOthers: true })
}

/** One run at a time for all Spaces: these rows are invisible, so there is no hurry. */
const enqueueRemoval = (tx: Tx, payload: JobPayload) => enqueue(tx, job, payload, null, job)

/** Deletes some batches; the rest goes to the end of the queue. */
export const removalJobs = (db: Database): Jobs => ({
  [job]: async (payload) => {
    const [scope, webhookId] = [scopeOf(payload), String(payload.webhookId)]
    let after: string | undefined = String(payload.after ?? lowestId)
    for (let i = 0; i < batchesOfRun && after !== undefined; i++) {
      const from: string = after
      after = await db.transaction((tx) => deleteDeliveries(tx, scope, webhookId, from, batchSize))
    }
    if (after !== undefined) await db.transaction((tx) => enqueueRemoval(tx, { ...payload, after }))
  },
})
