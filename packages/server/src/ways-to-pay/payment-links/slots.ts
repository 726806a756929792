import { must } from '@pesewa/values'
import { publishEach } from '../../events/events.ts'
import type { PlatformSettings } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { callerKey } from '../../platform/http/admission/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import type { LinkAdmission, LinkedPayment, SessionLinks } from '../checkout/session-links.ts'
import { isOpen, isPast, isPayable, linkEvent, linkUrl, markLinks, moveTo } from './payment-links.ts'
import { countSlotsByHolder, holderName, holdSlots, releaseSlots } from './slot-store.ts'
import { findLink, hasLink, lockLinks, type PaymentLink, updateCounted } from './store.ts'

export type LinkPlaceParts = Pick<Platform, 'baseUrl' | 'seals'> & {
  settings: Pick<PlatformSettings, 'rateLimits'>
}

/**
 * A payment takes a slot of its link when it starts and releases the slot when it ends. Both happen while the
 * link's row is locked, so slots and completed payments together never exceed the link's maximum.
 */
export const createSessionLinks = (parts: LinkPlaceParts): SessionLinks => ({
  hasLink,

  async find(db, scope, id, at) {
    const link = must(await findLink(db, scope, id), 'link of a session')
    const path = linkUrl(parts, scope, link).slice(parts.baseUrl.length)
    return { isOver: !isOpen(link) || isPast(link, at), path }
  },

  async admit(tx, beginning) {
    const links = await lockOf(tx, beginning)
    const asking = beginning.map(({ address, ...payment }) => ({
      ...payment,
      caller: parts.seals.tag('place of a payment link', callerKey(address)),
    }))
    const held = await countSlotsByHolder(tx, asking)
    const heldBy = (payment: (typeof asking)[number]) => held.get(holderName(payment)) ?? 0
    const admitted = asking.map((payment): LinkAdmission => {
      const link = links.get(nameOf(payment))
      if (!link || !isPayable(link, payment.at)) return 'full'
      if (parts.settings.rateLimits !== 'off' && isCrowded(link, heldBy(payment))) return 'crowded'
      links.set(nameOf(payment), { ...link, reservedCount: link.reservedCount + 1, updatedAt: payment.at })
      held.set(holderName(payment), heldBy(payment) + 1)
      return 'admitted'
    })
    updateCounted(tx, changedOf(links, beginning))
    await holdSlots(
      tx,
      asking.filter((_, i) => admitted[i] === 'admitted'),
    )
    return admitted
  },

  async end(tx, ended) {
    const links = await lockOf(tx, ended)
    const full: Scoped<PaymentLink>[] = []
    for (const { isPaid, ...payment } of ended) {
      const link = must(links.get(nameOf(payment)), 'link of a session')
      const { scope, amount, at } = payment
      const left = { ...link, reservedCount: link.reservedCount - 1, updatedAt: at }
      if (!isPaid) {
        links.set(nameOf(payment), left)
        continue
      }
      const paid = { ...left, paidCount: left.paidCount + 1, paidTotal: left.paidTotal + amount }
      const isFull = isOpen(paid) && paid.paidCount === paid.maxPayments
      const counted = { ...(isFull ? moveTo(paid, 'completed', at) : paid), scope }
      links.set(nameOf(payment), counted)
      if (isFull) full.push(counted)
    }
    await markLinks(tx, full)
    updateCounted(tx, changedOf(links, ended))
    await releaseSlots(tx, ended)
    publishEach(
      tx,
      full.map((link) => linkEvent(parts, link.scope, link, 'completed')),
    )
  },
})

const placesForEach = 4 // minimum number of IP addresses that can share the remaining slots of a payment link

/**
 * Returns whether one more payment would exceed an IP address's share of the remaining slots. An IP address
 * without payments in flight is always admitted.
 */
const isCrowded = ({ maxPayments, paidCount }: PaymentLink, held: number) =>
  maxPayments !== null && held > 0 && (held + 1) * placesForEach > maxPayments - paidCount

const nameOf = ({ scope, paymentLinkId }: LinkedPayment) => globalName(scope, paymentLinkId)

const lockOf = async (tx: Tx, payments: LinkedPayment[]) =>
  byGlobalName(
    await lockLinks(
      tx,
      payments.map(({ scope, paymentLinkId: id }) => ({ scope, id })),
    ),
  )

const changedOf = (links: Map<string, Scoped<PaymentLink>>, payments: LinkedPayment[]) =>
  [...new Set(payments.map(nameOf))].flatMap((name) => links.get(name) ?? [])
