import { fieldsOf, must, readAmount } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { enforceAddressLimit, enforceLimit } from '../../platform/http/admission/address-limit.ts'
import { callerKey } from '../../platform/http/admission/caller.ts'
import { showId } from '../../platform/ids.ts'
import { perSecond } from '../../platform/limits/rate-limits.ts'
import { isVisible, withoutHidden } from '../../platform/text-rules.ts'
import { createSession } from '../checkout/new-session.ts'
import { pageUrl } from '../checkout/page-key.ts'
import type { NewSession } from '../checkout/shapes.ts'
import { isPayable } from './payment-links.ts'
import type { PaymentLink } from './store.ts'
import type { LinkPageParts, LinkVisit } from './visits.ts'

/** Returns whether the link can be paid now. */
export const canBePaid = ({ link, space, now }: LinkVisit) =>
  isPayable(link, now) && space.suspendedAt === null

/** Returns whether the payer must fill in a form before a session can be opened. */
export const needsForm = ({ lineItems, quantityMaximum, referenceLabel }: PaymentLink) =>
  lineItems === null || quantityMaximum !== null || referenceLabel !== null

/** The fields of the posted form. A missing field is an empty string. */
export type LinkEntries = Record<LinkField, string>
export type LinkField = 'amount' | 'quantity' | 'reference'
export type LinkIssue = { field: LinkField; code: 'missing' | 'invalid' | 'tooSmall' | 'tooLarge' }

const maxEntryLength = 200 // maximum length of a form field on a payment link’s page

/**
 * Reads the posted form, or the values with which the URL's query prefills it. Removes invisible characters,
 * which are often pasted along with text.
 */
export function entriesOf(posted: unknown): LinkEntries {
  const form = fieldsOf(posted)
  const entry = (name: keyof LinkEntries, maxLength = maxEntryLength) => {
    const value = form[name]
    return typeof value === 'string' ? withoutHidden(cut(value.replaceAll(/\p{Cc}/gu, ' '), maxLength)) : ''
  }
  return {
    amount: entry('amount'),
    quantity: entry('quantity'),
    reference: entry('reference', maxReferenceLength),
  }
}

/** Truncates a text to a maximum number of characters without splitting surrogate pairs. */
const cut = (text: string, maxLength: number) =>
  [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('')

/** The payer's choices for the fields that the link has. */
type LinkChoice = { amount: bigint | undefined; quantity: number; reference: string | undefined }

export const maxReferenceLength = 100 // limit: length of a payer’s reference for a payment link

/** Returns the payer's choices or, if the form has errors, all of its issues. */
export function readEntries(link: PaymentLink, entries: LinkEntries): LinkChoice | LinkIssue[] {
  const issues: LinkIssue[] = []
  const amount = link.lineItems ? undefined : readAmount(entries.amount, link.currency)
  if (!link.lineItems) {
    if (entries.amount.trim() === '') issues.push({ field: 'amount', code: 'missing' })
    else if (amount === undefined) issues.push({ field: 'amount', code: 'invalid' })
    else if (link.minimum !== null && amount < link.minimum)
      issues.push({ field: 'amount', code: 'tooSmall' })
    else if (link.maximum !== null && amount > link.maximum)
      issues.push({ field: 'amount', code: 'tooLarge' })
  }
  const quantity = /^[0-9]{1,5}$/.test(entries.quantity.trim()) ? Number(entries.quantity) : Number.NaN
  if (link.quantityMinimum !== null && link.quantityMaximum !== null) {
    if (entries.quantity.trim() === '') issues.push({ field: 'quantity', code: 'missing' })
    else if (Number.isNaN(quantity)) issues.push({ field: 'quantity', code: 'invalid' })
    else if (quantity < link.quantityMinimum) issues.push({ field: 'quantity', code: 'tooSmall' })
    else if (quantity > link.quantityMaximum) issues.push({ field: 'quantity', code: 'tooLarge' })
  }
  const reference = entries.reference.trim()
  if (link.referenceLabel !== null && link.isReferenceRequired && !isVisible(reference))
    issues.push({ field: 'reference', code: 'missing' })
  if (issues.length > 0) return issues
  return {
    amount,
    quantity: link.quantityMaximum === null ? 1 : quantity,
    reference: link.referenceLabel !== null && isVisible(reference) ? reference : undefined,
  }
}

const openedPerSecond = 50 // limit: sessions that can be opened from one payment link per second
const openedByAddress = 1 // limit: sessions that one IP address can open through payment links per second
const openedByVisits = 30 // sessions opened automatically for visits from one IP address, per ten minutes
const visitWindowMs = 600_000

const openLimit = 'link-open-limit'

/** Returns functions that open sessions from links and decide whether a visit opens one automatically. */
export function openSessions(parts: LinkPageParts) {
  return {
    /**
     * Returns whether a request may open a session automatically. It must come from a person who navigated to
     * the page, not from a preview, a crawler or a prefetch. In case of doubt, the page with its button is
     * shown. The check is a convenience, not a security measure.
     */
    async mayOpen(request: FastifyRequest): Promise<boolean> {
      const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, 'sec-purpose': purpose } = request.headers
      if (request.method !== 'GET' || mode !== 'navigate' || dest !== 'document' || purpose !== undefined)
        return false
      if (parts.clockWatch.isWrong()) return false
      const caller = callerKey(request.ip)
      const limits = [
        {
          name: 'link-visit-limit',
          key: `link visit ${caller}`,
          atMost: openedByVisits,
          perMs: visitWindowMs,
        },
      ]
      if (parts.settings.rateLimits === 'on') limits.push(perSecond(openLimit, caller, openedByAddress))
      return !(await parts.limiter.take(limits))
    },

    /** Refuses a request from an IP address that opens too many sessions. */
    admit: (request: FastifyRequest) => enforceAddressLimit(parts, openLimit, openedByAddress, request),

    /** Opens a session with the payer's choices, and returns the path of its page. */
    async open(visit: LinkVisit, choice: LinkChoice): Promise<string> {
      const { scope, link, now } = visit
      await enforceLimit(parts, 'link-limit', openedPerSecond, link.id)
      const session = await parts.db.transaction((tx) =>
        createSession(tx, parts, {
          scope,
          body: sessionOf(link, choice),
          at: now,
          // Older links have no idempotency key.
          idempotencyKey: link.idempotencyKey ?? link.id,
          link: { id: link.id, successUrlOf: (sessionId) => successUrlOf(parts, visit, sessionId) },
        }),
      )
      return pageUrl(parts, scope, session.id).slice(parts.baseUrl.length)
    },
  }
}

const donePurpose = 'payment link done'

/**
 * Returns the URL of the merchant's success page or, if there is none, of our own, which shows the merchant's
 * success text.
 */
const successUrlOf = ({ baseUrl, seals }: LinkPageParts, { link, key }: LinkVisit, sessionId: string) =>
  link.successUrl ?? `${baseUrl}/l/${key}/done/${seals.seal(donePurpose, `${link.id} ${sessionId}`)}`

/**
 * Returns the id of the session that a success page belongs to, or `undefined` if the session was not opened
 * from this link.
 */
export function sessionDone({ seals }: LinkPageParts, { link }: LinkVisit, sealed: string) {
  const [linkId, sessionId] = seals.open(donePurpose, sealed)?.split(' ') ?? []
  return linkId === link.id ? sessionId : undefined
}

const itemNameLength = 100

function sessionOf(link: PaymentLink, { amount, quantity, reference }: LinkChoice): NewSession {
  const lineItems = link.lineItems?.map((item) => ({ ...item, quantity: (item.quantity ?? 1) * quantity }))
  return {
    name: link.name,
    ...(link.description !== null && { description: link.description }),
    ...(reference !== undefined && { reference }),
    financialAccountId: showId(accountIds, link.financialAccountId),
    lineItems: lineItems ?? [
      {
        name: [...link.name].slice(0, itemNameLength).join(''),
        price: { currency: link.currency, value: Number(must(amount, 'amount entered by the payer')) },
      },
    ],
    paymentOptions: link.paymentOptions,
    ...(link.primaryColor !== null && { brandingOptions: { primaryColor: link.primaryColor } }),
    metadata: link.metadata,
  }
}
