import { scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { expireCode } from './payment-codes.ts'
import type { PaymentCodeSettings } from './settings.ts'

export function paymentCodeJobs(parts: Platform<PaymentCodeSettings>): Jobs {
  const { db, clock } = parts
  return {
    'payment-code.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireCode(tx, parts, scope, String(payload.codeId), expiresAt, clock.now(scope)),
      )
    },
  }
}
