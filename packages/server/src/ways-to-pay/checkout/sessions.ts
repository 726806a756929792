import { must, wholeNumber } from '@pesewa/values'
import { publishEach } from '../../events/events.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { PaymentOrigin } from '../../money/payments/follower.ts'
import { isOpen } from '../../money/payments/payments.ts'
import { type Payment, selectAttempts } from '../../money/payments/store.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { pageUrl } from './page-key.ts'
import { enqueueReceipts } from './receipt-settings.ts'
import { lineItemIds, linkIds, sessionIds } from './resources.ts'
import { linkedPayment, type SessionLinks } from './session-links.ts'
import type { CheckoutSettings } from './settings.ts'
import type { expireReasons } from './shapes.ts'
import { type EndedSessionStatus, next } from './states.ts'
import { type CheckoutSession, lockSessions, updateStatuses } from './store.ts'

/** Attempts are limited because each of them sends a prompt to a phone. */
export const maxAttempts = 20 // limit: payment attempts per session, one at a time

export type SessionParts = Pick<Platform, 'baseUrl' | 'seals'>

/**
 * Cancels a pending session. Cancelling it again changes nothing. The request is refused while an attempt is in
 * flight, because the money may still arrive.
 */
export async function cancelSession(tx: Tx, parts: SessionParts, scope: Scope, id: string, at: Date) {
  const session = await lockSession(tx, scope, id)
  if (session.status === 'cancelled') return
  if (isPast(session, at) || (await hasOpenAttempt(tx, scope, id))) throw new Refusal('state_conflict')
  await endSessions(tx, parts, [{ session, at }], 'cancelled')
}

/**
 * Expires a session whose time is up. If an attempt is in flight, the session expires only when that attempt
 * has ended.
 */
export async function expireSession(tx: Tx, parts: SessionParts, scope: Scope, id: string, at: Date) {
  const session = await lockSession(tx, scope, id)
  if (session.status !== 'pending' || (await hasOpenAttempt(tx, scope, id))) return
  // The session may not be due yet, because another node's clock was slightly fast or the attempt failed before
  // the session's time was up.
  if (isPast(session, at)) await endSessions(tx, parts, [{ session, at }], 'expired')
  else await scheduleEach(tx, [expiryOf(session)])
}

/**
 * Returns the handlers that update the sessions of payments that have ended, in the same transaction. If an
 * attempt failed after its session's time was up, the session expires.
 */
export const sessionOrigin = (
  parts: SessionParts & { settings: CheckoutSettings },
  links: Pick<SessionLinks, 'end'>,
): PaymentOrigin => ({
  async paid(tx, payments) {
    const ended = await endSessionsOf(
      tx,
      parts,
      payments,
      'completed',
      ({ status }) => status !== 'completed',
    )
    await endLinked(tx, links, ended, true)
    await enqueueReceipts(tx, parts.settings, payments)
  },
  async failed(tx, payments) {
    const ended = await endSessionsOf(
      tx,
      parts,
      payments,
      'expired',
      (session, at) => session.status === 'pending' && isPast(session, at),
    )
    await endLinked(tx, links, ended, false)
  },
})

async function endLinked(
  tx: Tx,
  links: Pick<SessionLinks, 'end'>,
  sessions: { session: Scoped<CheckoutSession>; at: Date }[],
  isPaid: boolean,
): Promise<void> {
  const linked = sessions.flatMap(({ session, at }) => linkedPayment(session, at))
  if (linked.length > 0)
    await links.end(
      tx,
      linked.map((payment) => ({ ...payment, isPaid })),
    )
}

/** Expires locked sessions before their time is up, because they can no longer be paid. */
export const closeSessions = (
  tx: Tx,
  parts: SessionParts,
  closing: { session: Scoped<CheckoutSession>; at: Date }[],
) => endSessions(tx, parts, closing, 'expired')

/** Ends the sessions of these payments, and returns the sessions as they were before. */
async function endSessionsOf(
  tx: Tx,
  parts: SessionParts,
  payments: Scoped<Payment>[],
  status: EndedSessionStatus,
  isEnding: (session: CheckoutSession, at: Date) => boolean,
): Promise<{ session: Scoped<CheckoutSession>; at: Date }[]> {
  const endedAt = new Map(
    payments.map(({ scope, originId, updatedAt }) => [globalName(scope, originId), updatedAt]),
  )
  const sessions = await lockSessions(
    tx,
    payments.map(({ scope, originId }) => ({ scope, id: originId })),
  )
  const paid = sessions.map((session) => ({
    session,
    at: must(endedAt.get(globalName(session.scope, session.id)), 'payment of a session'),
  }))
  await endSessions(
    tx,
    parts,
    paid.filter(({ session, at }) => isEnding(session, at)),
    status,
  )
  return paid
}

/** Changes the status of locked sessions at the given times, and publishes the events. */
async function endSessions(
  tx: Tx,
  parts: SessionParts,
  ending: { session: Scoped<CheckoutSession>; at: Date }[],
  status: EndedSessionStatus,
): Promise<void> {
  const ended = ending.map(({ session, at }) => {
    if (!next[session.status].includes(status)) throw new Refusal('state_conflict')
    return { ...session, status, updatedAt: at }
  })
  await updateStatuses(tx, ended)
  publishSessions(tx, parts, ended, status)
}

export const publishSessions = (
  tx: Tx,
  parts: SessionParts,
  sessions: Scoped<CheckoutSession>[],
  happening: 'created' | EndedSessionStatus,
) =>
  publishEach(
    tx,
    sessions.map((session) => ({
      ...eventOf(session, happening),
      data: presentSession(parts, session.scope, session),
    })),
  )

/** Returns an event about a session, without its `data`. */
export const eventOf = (session: Scoped<CheckoutSession>, happening: 'created' | EndedSessionStatus) => ({
  scope: session.scope,
  types: [`checkout_session.${happening}`] as const,
  objectId: session.id,
  callbackState: session.callbackState,
  at: session.updatedAt,
})

/** Returns the job that expires a session. */
export const expiryOf = ({ scope, id, expiresAt }: Scoped<CheckoutSession>) => ({
  dueAt: expiresAt,
  job: 'checkout-session.expire',
  payload: { ...scope, sessionId: id },
})

const lockSession = async (tx: Tx, scope: Scope, id: string) =>
  existing((await lockSessions(tx, [{ scope, id }]))[0])

export const isPast = (session: CheckoutSession, at: Date) => at >= session.expiresAt

/**
 * Returns whether a payment link expired the session by refusing its payment. Sessions do not expire early for
 * any other reason.
 */
export const isClosedByLink = ({ status, paymentLinkId, expiresAt, updatedAt }: CheckoutSession) =>
  status === 'expired' && paymentLinkId !== null && updatedAt < expiresAt

function expireReasonOf(session: CheckoutSession): (typeof expireReasons)[number] | null {
  if (session.status !== 'expired') return null
  return isClosedByLink(session) ? 'payment_link' : 'time'
}

const hasOpenAttempt = async (db: Reader, scope: Scope, id: string) =>
  (await selectAttempts(db, scope, id, maxAttempts)).some(isOpen)

/** Returns the session as shown in the API, without `callbackState` and `paymentOptions`. */
export function presentSession(parts: SessionParts, scope: Scope, session: CheckoutSession) {
  return {
    id: showId(sessionIds, session.id),
    name: session.name,
    reference: session.reference,
    description: session.description,
    status: session.status,
    redirectUrl: pageUrl(parts, scope, session.id),
    cancelUrl: session.cancelUrl,
    successUrl: session.successUrl,
    amount: { currency: session.currency, value: wholeNumber(session.amount) },
    orderNumber: session.orderNumber,
    lineItems: { data: session.lineItems.map((item) => ({ ...item, id: showId(lineItemIds, item.id) })) },
    financialAccountId: showId(accountIds, session.financialAccountId),
    brandingOptions: { primaryColor: session.primaryColor },
    paymentLinkId: session.paymentLinkId && showId(linkIds, session.paymentLinkId),
    expireTime: session.expiresAt.toISOString(),
    expireReason: expireReasonOf(session),
    ...presentOwned(scope.spaceId, session),
  }
}
