import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { freeLostNumbers } from './numbers.ts'
import { expireCode, type PaymentCodeParts } from './payment-codes.ts'

export function paymentCodeJobs(parts: PaymentCodeParts): Jobs {
  const { db, clock, settings } = parts
  return {
    'payment-codes.free-numbers': () => freeLostNumbers(parts),
    'payment-code.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireCode(tx, settings, scope, String(payload.codeId), expiresAt, clock.now(scope)),
      )
    },
  }
}
