import { checkoutJobs } from './checkout/jobs.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import { collectionJobs } from './payments/collection.ts'
import { forgetOldKeys } from './platform/http/idempotency.ts'
import type { Calendar, Jobs } from './platform/jobs/runner.ts'
import type { Parts } from './routes.ts'

/** Everything that happens later. */
export const allJobs = (parts: Parts): Jobs => ({
  ...ledgerJobs(parts),
  ...collectionJobs(parts),
  ...checkoutJobs(parts),
  'idempotency-keys.forget': () => forgetOldKeys(parts.db, parts.settings.idempotencyRetentionMs),
})

/** What happens by the machine's calendar. */
export const calendar: Calendar = {
  '17 * * * *': 'idempotency-keys.forget',
}
