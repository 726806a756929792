import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { daysAgo } from '../../tenants/spaces/since.ts'
import { freeAddresses, selectLostAddresses } from './address-store.ts'
import { expireLink, type PaymentLinkParts } from './payment-links.ts'

const addressesAtOnce = 10_000 // addresses of links that are looked up in one statement

export function paymentLinkJobs(parts: PaymentLinkParts): Jobs {
  const { db, home, clock } = parts
  return {
    // An address whose link was not created, because the node ended in between.
    'payment-links.free-addresses': async () => {
      const before = daysAgo(1)
      for (let after: string | null = ''; after !== null; ) {
        const { lost, last } = await selectLostAddresses(db, before, after, addressesAtOnce)
        if (lost.length > 0) await home.transaction((tx) => freeAddresses(tx, lost))
        after = last
      }
    },
    'payment-link.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireLink(tx, parts, scope, String(payload.linkId), expiresAt, clock.now(scope)),
      )
    },
  }
}
