import type { Database, Tx } from '../../platform/db/database.ts'
import { enqueue, type JobPayload, schedule, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { deleteDeliveries } from './delivery-store.ts'

const job = 'webhooks.remove-deliveries'
const slice = 2_000 // limit: deliveries of a removed webhook deleted in one transaction
const slicesOfRun = 25 // limit: transactions that delete deliveries in one run of the job
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** No statement runs longer: after that, none that found the webhook before its removal still writes deliveries for it. */
const writtenMeanwhileMs = 60_000

/** Removes what a webhook has left: now, and once more what was being written meanwhile. */
export async function removeDeliveries(tx: Tx, payload: JobPayload, at: Date): Promise<void> {
  await enqueueRemoval(tx, payload)
  await schedule(tx, new Date(at.getTime() + writtenMeanwhileMs), job, payload, { asksOthers: true })
}

/** One run at a time, of whatever endpoint and Space: nobody sees these rows, so nobody waits for them. */
const enqueueRemoval = (tx: Tx, payload: JobPayload) => enqueue(tx, job, payload, null, job)

/** Deletes some slices of what a removed webhook has left; what is left then goes to the end of the line. */
export const removalJobs = (db: Database): Jobs => ({
  [job]: async (payload) => {
    const [scope, webhookId] = [scopeOf(payload), String(payload.webhookId)]
    let after: string | undefined = String(payload.after ?? beforeAll)
    for (let i = 0; i < slicesOfRun && after !== undefined; i++) {
      const from: string = after
      after = await db.transaction((tx) => deleteDeliveries(tx, scope, webhookId, from, slice))
    }
    if (after !== undefined) await db.transaction((tx) => enqueueRemoval(tx, { ...payload, after }))
  },
})
