import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { freeLostAddresses } from './addresses.ts'
import { expireLink, type PaymentLinkParts } from './payment-links.ts'

export function paymentLinkJobs(parts: PaymentLinkParts): Jobs {
  const { db, clock } = parts
  return {
    'payment-links.free-addresses': () => freeLostAddresses(parts),
    'payment-link.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireLink(tx, parts, scope, String(payload.linkId), expiresAt, clock.now(scope)),
      )
    },
  }
}
