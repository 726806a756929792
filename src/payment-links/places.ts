import type { LinkedPayment, SessionLinks } from '../checkout/session-links.ts'
import { publishEach } from '../events/events.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import {
  isOpen,
  isPast,
  isPayable,
  linkEvent,
  linkUrl,
  markLinks,
  moveTo,
  type PaymentLink,
} from './payment-links.ts'
import { findLink, hasLink, lockLinks, updateCounted } from './store.ts'

/**
 * A payment takes its place in a link when it begins, and gives it back when it ends. Both happen under the lock on the
 * link's row, so that there are never more places taken, and payments done, than the link allows.
 */
export const openLinks = (parts: Pick<Platform, 'baseUrl' | 'seals'>): SessionLinks => ({
  hasLink,

  async find(db, scope, id, at) {
    const link = must(await findLink(db, scope, id), 'link of a session')
    const path = linkUrl(parts, scope, link).slice(parts.baseUrl.length)
    return { isOver: !isOpen(link) || isPast(link, at), path }
  },

  async admit(tx, beginning) {
    const links = await lockOf(tx, beginning)
    const admitted = beginning.map((payment) => {
      const link = links.get(nameOf(payment))
      if (!link || !isPayable(link, payment.at)) return false
      links.set(nameOf(payment), { ...link, reservedCount: link.reservedCount + 1, updatedAt: payment.at })
      return true
    })
    await updateCounted(tx, changedOf(links, beginning))
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
    await updateCounted(tx, changedOf(links, ended))
    publishEach(
      tx,
      full.map((link) => linkEvent(parts, link.scope, link, 'completed')),
    )
  },
})

const nameOf = ({ scope, paymentLinkId }: LinkedPayment) => nameIn(scope, paymentLinkId)

const lockOf = async (tx: Tx, payments: LinkedPayment[]) =>
  byName(
    await lockLinks(
      tx,
      payments.map(({ scope, paymentLinkId: id }) => ({ scope, id })),
    ),
  )

const changedOf = (links: Map<string, Scoped<PaymentLink>>, payments: LinkedPayment[]) =>
  [...new Set(payments.map(nameOf))].flatMap((name) => links.get(name) ?? [])
