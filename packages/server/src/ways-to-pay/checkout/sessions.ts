import { must, wholeNumber } from '@pesewa/values'
import { type NewEvent, publishEach } from '../../events/events.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { PaymentOrigin } from '../../money/payments/follower.ts'
import { findAttemptsOfEach, isInFlight } from '../../money/payments/payments.ts'
import { type Payment, selectAttempts } from '../../money/payments/store.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { isoTime } from '../../platform/iso-time.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { pageUrl } from './page-key.ts'
import { returnLater } from './paid-twice.ts'
import { enqueueReceipts } from './receipt-settings.ts'
import { lineItemIds, linkIds, sessionIds } from './resources.ts'
import { linkedPayment, type SessionLinks } from './session-links.ts'
import type { CheckoutSettings } from './settings.ts'
import type { expireReasons } from './shapes.ts'
import { type EndedSessionStatus, next } from './states.ts'
import { type CheckoutSession, lockSessions, updateStatuses } from './store.ts'

/** Attempts are limited because each of them sends a prompt to a phone. */
export const maxAttempts = 20 // limit: payment attempts per session
/**
 * A payer who chooses another number starts a second attempt while the first is in flight. With a third, the payer
 * could lose track.
 */
export const maxInFlight = 2 // limit: payment attempts of a session that are in flight at the same time

export type SessionParts = Pick<Platform, 'baseUrl' | 'seals'>

/**
 * Cancels a pending session. Cancelling it again changes nothing. The request is refused while an attempt is in
 * flight, because the money may still arrive.
 */
export async function cancelSession(tx: Tx, parts: SessionParts, scope: Scope, id: string, at: Date) {
  const session = await lockSession(tx, scope, id)
  if (session.status === 'cancelled') return
  if (isPast(session, at) || (await hasOpenAttempt(tx, scope, id))) throw new Refusal('state_conflict')
  endSessions(tx, parts, [{ session, at }], 'cancelled')
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
  if (isPast(session, at)) endSessions(tx, parts, [{ session, at }], 'expired')
  else scheduleEach(tx, [expiryOf(session)])
}

/**
 * Returns the handlers that update the sessions of payments that have ended, in the same transaction. The first
 * payment to complete pays its session. Any later one is returned to its payer by a job. If the last attempt in
 * flight failed after its session's time was up, the session expires.
 */
export const sessionOrigin = (
  parts: SessionParts & { settings: CheckoutSettings },
  links: Pick<SessionLinks, 'end'>,
): PaymentOrigin => ({
  async paid(tx, payments) {
    const sessions = await lockSessionsOf(tx, payments)
    const attempts = await attemptsBeside(tx, sessions)
    const paid: SessionPayment[] = []
    const again: Scoped<Payment>[] = []
    for (const payment of payments) {
      const name = globalName(payment.scope, payment.originId)
      const session = must(sessions.get(name), 'session of a payment')
      if (wasPaidByAnother(session, payment, attempts.get(name) ?? [])) again.push(payment)
      else if (session.status !== 'completed') {
        paid.push({ session, payment })
        sessions.set(name, { ...session, status: 'completed', paymentId: payment.id })
      }
    }
    endSessions(
      tx,
      parts,
      paid.map(({ session, payment }) => ({
        session: { ...session, paymentId: payment.id },
        at: payment.updatedAt,
      })),
      'completed',
    )
    await endLinked(tx, links, paid, true)
    await enqueueReceipts(
      tx,
      parts.settings,
      paid.map(({ payment }) => payment),
    )
    await returnLater(tx, again)
  },
  async failed(tx, payments) {
    const sessions = await lockSessionsOf(tx, payments)
    // The attempts are read only once the sessions are locked. If two attempts fail at the same time, the second
    // one therefore finds that the first one has failed.
    const attempts = await findAttemptsOfEach(tx, [...sessions.values()], maxAttempts)
    const failedAt = new Map(
      payments.map((payment) => [globalName(payment.scope, payment.originId), payment] as const),
    )
    const idle = [...sessions].flatMap(([name, session]) => {
      const isIdle = session.status !== 'completed' && !(attempts.get(name) ?? []).some(isInFlight)
      return isIdle ? [{ session, payment: must(failedAt.get(name), 'failed payment') }] : []
    })
    endSessions(
      tx,
      parts,
      idle
        .map(({ session, payment }) => ({ session, at: payment.updatedAt }))
        .filter(({ session, at }) => session.status === 'pending' && isPast(session, at)),
      'expired',
    )
    await endLinked(tx, links, idle, false)
  },
})

type SessionPayment = { session: Scoped<CheckoutSession>; payment: Scoped<Payment> }

/** Locks the sessions of payments. The map's keys are the global names of the sessions. */
const lockSessionsOf = async (tx: Tx, payments: Scoped<Payment>[]) =>
  byGlobalName(
    await lockSessions(
      tx,
      payments.map(({ scope, originId: id }) => ({ scope, id })),
    ),
  )

/** Returns the attempts of the completed sessions that do not name the payment that paid them. */
async function attemptsBeside(tx: Tx, sessions: Map<string, Scoped<CheckoutSession>>) {
  const unnamed = [...sessions.values()].filter(
    ({ status, paymentId }) => status === 'completed' && paymentId === null,
  )
  return unnamed.length === 0
    ? new Map<string, Payment[]>()
    : await findAttemptsOfEach(tx, unnamed, maxAttempts)
}

/** Returns whether a session was paid by a payment other than this one. */
const wasPaidByAnother = ({ status, paymentId }: CheckoutSession, { id }: Payment, attempts: Payment[]) =>
  status === 'completed' &&
  (paymentId === null
    ? attempts.some((other) => other.id !== id && other.status === 'completed')
    : paymentId !== id)

/**
 * Releases or uses the slots of sessions that were opened from a payment link. A session holds one slot, however
 * many of its attempts are in flight, because only one of them can pay it.
 */
async function endLinked(
  tx: Tx,
  links: Pick<SessionLinks, 'end'>,
  ended: SessionPayment[],
  isPaid: boolean,
): Promise<void> {
  const linked = ended.flatMap(({ session, payment }) => linkedPayment(session, payment.updatedAt))
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

/** Changes the status of locked sessions at the given times, and publishes the events. */
function endSessions(
  tx: Tx,
  parts: SessionParts,
  ending: { session: Scoped<CheckoutSession>; at: Date }[],
  status: EndedSessionStatus,
): void {
  const ended = ending.map(({ session, at }) => {
    if (!next[session.status].includes(status)) throw new Refusal('state_conflict')
    return { ...session, status, updatedAt: at }
  })
  updateStatuses(tx, ended)
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
    sessions.map((session) => eventOf(parts, session, happening)),
  )

export const eventOf = (
  parts: SessionParts,
  session: Scoped<CheckoutSession>,
  happening: 'created' | EndedSessionStatus,
): Scoped<NewEvent> => ({
  scope: session.scope,
  types: [`checkout_session.${happening}`],
  objectId: session.id,
  data: presentSession(parts, session.scope, session),
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
  (await selectAttempts(db, scope, id, maxAttempts)).some(isInFlight)

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
    expireTime: isoTime(session.expiresAt),
    expireReason: expireReasonOf(session),
    ...presentOwned(scope.spaceId, session),
  }
}
