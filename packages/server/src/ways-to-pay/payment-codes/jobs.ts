import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { daysAgo } from '../../tenants/spaces/since.ts'
import { expireCode, type PaymentCodeParts } from './payment-codes.ts'
import { freeNumbers, selectLostNumbers } from './store.ts'

const numbersAtOnce = 10_000 // numbers of codes that are looked up in one statement

export function paymentCodeJobs({ db, home, clock, settings }: PaymentCodeParts): Jobs {
  return {
    // A number whose code was not created, because the node ended in between.
    'payment-codes.free-numbers': async () => {
      const before = daysAgo(1)
      for (let after: string | null = ''; after !== null; ) {
        const { lost, last } = await selectLostNumbers(db, before, after, numbersAtOnce)
        if (lost.length > 0) await home.transaction((tx) => freeNumbers(tx, lost))
        after = last
      }
    },
    'payment-code.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireCode(tx, settings, scope, String(payload.codeId), expiresAt, clock.now(scope)),
      )
    },
  }
}
