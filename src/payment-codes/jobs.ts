import { type JobPayload, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { countFailed, countPaid } from './counting.ts'
import { expireCode } from './payment-codes.ts'

/** What happens to a code later: its time ends, or a payment by it does. */
export function paymentCodeJobs(parts: Platform): Jobs {
  const { db, clock } = parts
  const ended = (count: typeof countPaid) => (payload: JobPayload) => {
    const scope = scopeOf(payload)
    const [id, paymentId] = [String(payload.originId), String(payload.paymentId)]
    return db.transaction((tx) => count(tx, parts, scope, id, paymentId, clock.now(scope)))
  }
  return {
    'payment-code.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireCode(tx, parts, scope, String(payload.codeId), expiresAt, clock.now(scope)),
      )
    },
    'payment-code.paid': ended(countPaid),
    'payment-code.payment-failed': ended(countFailed),
  }
}
