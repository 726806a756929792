import { publishEach } from '../../events/events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { newAddress } from './addresses.ts'
import { linkEvent, type PaymentLinkParts, scheduleExpiry } from './payment-links.ts'
import type { NewPaymentLink } from './shapes.ts'
import { insertLink, type PaymentLink } from './store.ts'
import { statusOf, termsOf, validateTerms } from './terms.ts'

/** Creates a link. If the request is not valid, the refusal lists all of its issues. */
export async function createLink(
  tx: Tx,
  parts: PaymentLinkParts,
  scope: Scope,
  request: NewPaymentLink,
  { idempotencyKey, at }: { idempotencyKey: string; at: Date },
): Promise<PaymentLink> {
  const issues = new Issues()
  await validateTerms(tx, parts, scope, request, { at, issues })
  issues.refuse()
  const id = newId(at)
  const link: PaymentLink = {
    ...(await termsOf(tx, scope, request, at)),
    id,
    address: await newAddress(tx, parts.seals, scope, { linkId: id, idempotencyKey }),
    status: statusOf(request),
    paidCount: 0,
    paidTotal: 0n,
    reservedCount: 0,
    idempotencyKey,
    createdAt: at,
    updatedAt: at,
  }
  await insertLink(tx, scope, link)
  await scheduleExpiry(tx, scope, link)
  publishEach(tx, [linkEvent(parts, scope, link, 'created')])
  return link
}
