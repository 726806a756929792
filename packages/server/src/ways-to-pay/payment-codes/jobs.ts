import { freeLostClaims } from '../../platform/http/commands/claims.ts'
import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { daysAgo } from '../../tenants/spaces/since.ts'
import { expireCode, type PaymentCodeParts } from './payment-codes.ts'
import { freeNumbers, selectLostNumbers } from './store.ts'

export function paymentCodeJobs({ db, home, clock, settings }: PaymentCodeParts): Jobs {
  return {
    'payment-codes.free-numbers': () =>
      freeLostClaims(home, (...part) => selectLostNumbers(db, daysAgo(1), ...part), freeNumbers),
    'payment-code.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireCode(tx, settings, scope, String(payload.codeId), expiresAt, clock.now(scope)),
      )
    },
  }
}
