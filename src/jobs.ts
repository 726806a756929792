import { headJobs } from './books/heads.ts'
import { proofJobs } from './books/proofs.ts'
import { checkoutJobs } from './checkout/jobs.ts'
import { retentionJobs } from './events/partitions.ts'
import { deliveryJobs } from './events/webhooks/delivery-routes.ts'
import { removalJobs } from './events/webhooks/removal.ts'
import { openOrigins } from './followers.ts'
import { ledgerJobs } from './ledger/jobs.ts'
import { paymentCodeJobs } from './payment-codes/jobs.ts'
import { originJobs } from './payments/follower.ts'
import { promptJobs } from './payments/prompts.ts'
import { forgetOldKeys } from './platform/http/idempotency.ts'
import type { Calendar } from './platform/jobs/calendar.ts'
import type { Jobs } from './platform/jobs/runner.ts'
import { createMailer, mailJobs } from './platform/mail.ts'
import type { Parts } from './routes.ts'
import { transferJobs } from './transfers/jobs.ts'
import { ussdJobs } from './ussd/jobs.ts'

/** Everything that happens later. What takes minutes ends early when the node is `stopping`. */
export const allJobs = (parts: Parts, stopping: AbortSignal): Jobs => ({
  ...deliveryJobs(parts),
  ...removalJobs(parts.db),
  ...ledgerJobs(parts),
  ...transferJobs(parts),
  ...originJobs(parts, openOrigins(parts)),
  ...promptJobs(parts),
  ...checkoutJobs(parts),
  ...paymentCodeJobs(parts),
  ...ussdJobs(parts),
  ...retentionJobs(parts),
  ...mailJobs(createMailer(parts.settings, parts.log)),
  ...proofJobs(parts, stopping),
  ...headJobs(parts, stopping),
  'simulator.forget': () => parts.simulator.forget(),
  'idempotency-keys.forget': () => forgetOldKeys(parts.db, parts.settings.idempotencyRetentionMs),
})

/** What happens by the machine's calendar, in UTC. */
export const calendar: Calendar = {
  '7 0 * * *': 'events.retain',
  '17 * * * *': 'idempotency-keys.forget',
  '37 * * * *': 'ussd-sessions.forget',
  '13 2 * * *': 'books.publish-heads',
  '47 * * * *': 'simulator.forget',
  '57 * * * *': 'asked-phones.forget',
  '23 2 * * *': 'books.verify',
}
