import { freeLostClaims } from '../../platform/http/commands/claims.ts'
import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { daysAgo } from '../../tenants/spaces/since.ts'
import { freeAddresses, selectLostAddresses } from './address-store.ts'
import { expireLink, type PaymentLinkParts } from './payment-links.ts'

export function paymentLinkJobs(parts: PaymentLinkParts): Jobs {
  const { db, home, clock } = parts
  return {
    'payment-links.free-addresses': () =>
      freeLostClaims(home, (...part) => selectLostAddresses(db, daysAgo(1), ...part), freeAddresses),
    'payment-link.expire': (payload) => {
      const scope = scopeOf(payload)
      const expiresAt = new Date(String(payload.expiresAt))
      return db.transaction((tx) =>
        expireLink(tx, parts, scope, String(payload.linkId), expiresAt, clock.now(scope)),
      )
    },
  }
}
