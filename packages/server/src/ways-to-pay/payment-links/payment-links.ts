import { wholeNumber } from '@pesewa/values'
import { type NewEvent, publishEach } from '../../events/events.ts'
import { openMainAccounts } from '../../ledger/accounts/main-accounts.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { capabilityKey } from '../checkout/page-key.ts'
import { linkIds } from '../checkout/resources.ts'
import { currenciesNamed } from '../checkout/session-request.ts'
import type { NewPaymentLink, PaymentLinkChange } from './shapes.ts'
import { type LinkStatus, next } from './states.ts'
import { lockLinks, type PaymentLink, updateLink } from './store.ts'
import { mainsNeeded, mergeChange, statusOf, termsOf, toRequest, validateTerms } from './terms.ts'

/** Dependencies of the slice. */
export type PaymentLinkParts = Platform & Providers

type Shown = Pick<Platform, 'baseUrl' | 'seals'>

export const keyPurpose = 'payment link'

/**
 * Returns a link's URL: its short address or, for links created before links had one, a signed key. Anyone who
 * has the URL can open the link.
 */
export const linkUrl = (
  { baseUrl, seals }: Shown,
  scope: Scope,
  { id, address }: Pick<PaymentLink, 'id' | 'address'>,
) => `${baseUrl}/l/${address ?? capabilityKey(seals, keyPurpose, scope, id)}`

export const isOpen = ({ status }: PaymentLink) => status === 'active' || status === 'inactive'
/** Returns whether a link has expired. No payment can start at or after `expiresAt`. */
export const isPast = ({ expiresAt }: PaymentLink, at: Date) => expiresAt !== null && at >= expiresAt
const hasSlot = ({ maxPayments, paidCount, reservedCount }: PaymentLink) =>
  maxPayments === null || paidCount + reservedCount < maxPayments

/** Returns whether a payment of the link may start now. */
export const isPayable = (link: PaymentLink, at: Date): boolean =>
  link.status === 'active' && !isPast(link, at) && hasSlot(link)

/** Cancels an open link. Cancelling it again has no effect. Payments in flight continue and are counted. */
export async function cancelLink(tx: Tx, parts: Shown, scope: Scope, id: string, at: Date) {
  const link = await lockLink(tx, scope, id)
  if (link.status !== 'cancelled') await end(tx, parts, scope, link, 'cancelled', at)
}

/** Expires a link at `expiresAt`. If that time has since been changed, another job handles the new time. */
export async function expireLink(
  tx: Tx,
  parts: Shown,
  scope: Scope,
  id: string,
  expiresAt: Date,
  at: Date,
): Promise<void> {
  const link = await lockLink(tx, scope, id)
  if (!isOpen(link) || link.expiresAt?.getTime() !== expiresAt.getTime()) return
  // The clock of the node that scheduled this job may be slightly ahead.
  if (!isPast(link, at)) scheduleEach(tx, expiriesOf([{ ...link, scope }]))
  else await end(tx, parts, scope, link, 'expired', at)
}

/** Returns the jobs that expire those of the links that expire. */
export const expiriesOf = (links: Scoped<PaymentLink>[]) =>
  links.flatMap(({ scope, id, expiresAt }) =>
    expiresAt
      ? {
          dueAt: expiresAt,
          job: 'payment-link.expire',
          payload: { ...scope, linkId: id, expiresAt: expiresAt.toISOString() },
        }
      : [],
  )

async function end(
  tx: Tx,
  parts: Shown,
  scope: Scope,
  link: PaymentLink,
  status: 'expired' | 'cancelled',
  at: Date,
): Promise<void> {
  const ended = moveTo(link, status, at)
  await markLinks(tx, [{ scope, id: link.id }])
  await updateLink(tx, scope, ended)
  publishEach(tx, [linkEvent(parts, scope, ended, status)])
}

/**
 * Marks locked links whose terms or status are about to change, so that the change is added to the chain of
 * seals. A change to the counts alone need not be marked.
 */
export const markLinks = (tx: Tx, links: readonly Scoped<{ id: string }>[]) =>
  markChanging(tx, 'payment_link', sql`payment_links`, links)

/** Returns a copy of the link with another status. Does not save it. */
export function moveTo(link: PaymentLink, status: LinkStatus, at: Date): PaymentLink {
  if (!next[link.status].includes(status)) throw new Refusal('state_conflict')
  return { ...link, status, updatedAt: at }
}

export const linkEvent = (
  parts: Shown,
  scope: Scope,
  link: PaymentLink,
  happening: 'created' | 'completed' | 'expired' | 'cancelled',
): Scoped<NewEvent> => ({
  scope,
  types: [`payment_link.${happening}`],
  objectId: link.id,
  data: presentLink(parts, scope, link),
  at: link.updatedAt,
})

const lockLink = async (tx: Tx, scope: Scope, id: string) =>
  existing((await lockLinks(tx, [{ scope, id }]))[0])

/** Returns the total price of one set of the items, before the quantity that the payer chooses. */
export const amountOf = (items: NonNullable<PaymentLink['lineItems']>): bigint =>
  items.reduce((sum, { price, quantity = 1 }) => sum + BigInt(price.value) * BigInt(quantity), 0n)

/** Returns the link as an API resource. Like a session, it is shown without its `paymentOptions`. */
export function presentLink(parts: Shown, scope: Scope, link: PaymentLink) {
  const { currency, lineItems, quantityMinimum, quantityMaximum, referenceLabel } = link
  const money = (value: bigint) => ({ currency, value: wholeNumber(value) })
  const bound = (value: bigint | null) => (value === null ? null : wholeNumber(value))
  const url = linkUrl(parts, scope, link)
  return {
    id: showId(linkIds, link.id),
    status: link.status,
    url,
    qrUrl: `${url}/qr.svg`,
    posterUrl: `${url}/poster`,
    name: link.name,
    description: link.description,
    amount: lineItems && money(amountOf(lineItems)),
    lineItems,
    openAmount: lineItems ? null : { currency, minimum: bound(link.minimum), maximum: bound(link.maximum) },
    quantity:
      quantityMinimum === null || quantityMaximum === null
        ? null
        : { minimum: quantityMinimum, maximum: quantityMaximum },
    payerReference:
      referenceLabel === null ? null : { label: referenceLabel, isRequired: link.isReferenceRequired },
    financialAccountId: showId(accountIds, link.financialAccountId),
    brandingOptions: { primaryColor: link.primaryColor },
    successText: link.successText,
    successUrl: link.successUrl,
    active: link.status === 'active',
    expireTime: link.expiresAt?.toISOString() ?? null,
    maxPayments: link.maxPayments,
    paymentCount: link.paidCount,
    paymentTotal: money(link.paidTotal),
    ...presentOwned(scope.spaceId, link),
  }
}

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
  const merged = { scope, body: mergeChange(toRequest(link), change), at, before: link }
  validateTerms(parts, merged, await currenciesNamed(tx, [merged]), issues)
  issues.refuse()
  // The request is complete, because validation checked the merged request.
  const terms = { ...merged, body: merged.body as NewPaymentLink }
  const mains = await openMainAccounts(tx, mainsNeeded([terms]))
  const changed = moveTo({ ...link, ...termsOf(terms, mains) }, statusOf(terms.body), at)
  const isFull = changed.maxPayments !== null && changed.paidCount >= changed.maxPayments
  const saved = isFull ? moveTo(changed, 'completed', at) : changed
  await markLinks(tx, [{ scope, id }])
  await updateLink(tx, scope, saved)
  if (isFull) publishEach(tx, [linkEvent(parts, scope, saved, 'completed')])
  else if (link.expiresAt?.getTime() !== saved.expiresAt?.getTime())
    scheduleEach(tx, expiriesOf([{ ...saved, scope }]))
  return saved
}
