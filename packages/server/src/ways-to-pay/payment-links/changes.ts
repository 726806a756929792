import { publishEach } from '../../events/events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import {
  isOpen,
  isPast,
  linkEvent,
  lockLink,
  markLinks,
  moveTo,
  type PaymentLinkParts,
  scheduleExpiry,
} from './payment-links.ts'
import type { NewPaymentLink, PaymentLinkChange } from './shapes.ts'
import { type PaymentLink, updateLink } from './store.ts'
import { mergeChange, statusOf, termsOf, toRequest, validateTerms } from './terms.ts'

/** Changes the given fields of an open link. Sessions already opened from the link are unaffected. */
export async function changeLink(
  tx: Tx,
  parts: PaymentLinkParts,
  scope: Scope,
  id: string,
  change: PaymentLinkChange,
  at: Date,
): Promise<PaymentLink> {
  const link = await lockLink(tx, scope, id)
  if (!isOpen(link) || isPast(link, at)) throw new Refusal('state_conflict')
  const issues = new Issues()
  await validateTerms(tx, parts, scope, mergeChange(toRequest(link), change), { at, before: link, issues })
  issues.refuse()
  // The request is complete, because validation checked the merged request.
  const request = mergeChange(toRequest(link), change) as NewPaymentLink
  const changed = moveTo({ ...link, ...(await termsOf(tx, scope, request, at)) }, statusOf(request), at)
  const isFull = changed.maxPayments !== null && changed.paidCount >= changed.maxPayments
  const saved = isFull ? moveTo(changed, 'completed', at) : changed
  await markLinks(tx, [{ scope, id }])
  await updateLink(tx, scope, saved)
  if (isFull) publishEach(tx, [linkEvent(parts, scope, saved, 'completed')])
  else if (link.expiresAt?.getTime() !== saved.expiresAt?.getTime()) await scheduleExpiry(tx, scope, saved)
  return saved
}
