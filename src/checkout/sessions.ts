import { type NewEvent, publish, publishEach } from '../events/events.ts'
import type { Payer } from '../payments/channel.ts'
import type { PaymentOrigin } from '../payments/follower.ts'
import { findAttempts, isOpen, type Payment, startPayment } from '../payments/payments.ts'
import { openPromptBudget, PhoneAskedOften } from '../payments/prompts.ts'
import type { Scope } from '../platform/clock.ts'
import type { Settings } from '../platform/config.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { showId } from '../platform/ids.ts'
import { schedule } from '../platform/jobs/queue.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { spaceGraph } from '../spaces/ownership.ts'
import { pageUrl } from './page-key.ts'
import { returnUrl } from './return-state.ts'
import {
  lockSessions,
  type Session,
  type SessionStatus,
  selectSession,
  updateStatus,
  updateStatuses,
} from './store.ts'

export type { Session } from './store.ts'
export { selectSessions as findSessions } from './store.ts'

/** From which state a session may go where. Anything else is refused, in `moveTo`. */
const next = {
  pending: ['completed', 'cancelled', 'expired'],
  completed: [],
  cancelled: [],
  expired: [],
} as const satisfies Record<SessionStatus, readonly SessionStatus[]>

/** Failed attempts that one session bears: each of them rings somebody's phone. */
const maxAttempts = 20

export type SessionParts = { baseUrl: string; seals: Seals; catalogue: Catalogue }

export type Attempt = Payer

/**
 * The payer asks to pay. Refuses unless the session is pending, in time, and no other attempt is in flight.
 *
 * @throws PhoneAskedOften when the payer's phone is asked too often
 */
export async function paySession(
  tx: Tx,
  parts: Pick<SessionParts, 'baseUrl' | 'seals'> & { settings: Settings },
  scope: Scope,
  id: string,
  attempt: Attempt,
  at: Date,
) {
  const session = await lockSession(tx, scope, id)
  const attempts = await findAttempts(tx, scope, id, maxAttempts)
  if (session.status !== 'pending' || isPast(session, at) || attempts.some(isOpen))
    throw new Refusal('state_conflict')
  if (attempts.length >= maxAttempts) throw new Refusal('too_many_requests')
  if (attempt.type === 'momo' && attempt.account !== null)
    await takePrompt(tx, parts.settings, scope, attempt.account)
  return startPayment(
    tx,
    parts.seals,
    scope,
    {
      origin: { type: 'checkout_session', id, metadata: session.metadata },
      attemptsOf: id,
      order: {
        id: session.orderId,
        number: session.orderNumber,
        name: session.name,
        amount: session.amount,
        currency: session.currency,
      },
      reference: session.reference,
      financialAccountId: session.financialAccountId,
      returnUrl: (paymentId) => returnUrl(parts, { scope, sessionId: id, paymentId }),
      ...attempt,
    },
    at,
  )
}

async function takePrompt(tx: Tx, settings: Settings, scope: Scope, phoneNumber: string): Promise<void> {
  const prompt = { scope, phoneNumber }
  const budget = await openPromptBudget(tx, settings, scope.environment, [prompt])
  const waitMs = budget.take(prompt)
  if (waitMs !== undefined) throw new PhoneAskedOften(waitMs)
  await budget.save()
}

/** Cancels a pending session; repeated, the same. While an attempt is in flight money may still come: refused. */
export async function cancelSession(
  tx: Tx,
  parts: SessionParts,
  scope: Scope,
  id: string,
  at: Date,
): Promise<Session> {
  const session = await lockSession(tx, scope, id)
  if (session.status === 'cancelled') return session
  if (isPast(session, at) || (await hasOpenAttempt(tx, scope, id))) throw new Refusal('state_conflict')
  return moveTo(tx, parts, scope, session, 'cancelled', at)
}

/**
 * What payments mean for the sessions they were made for, in the transaction that ends them. Money decides: a session that
 * was paid is completed, whatever else was about to happen to it. A failed attempt may have outlived the session's time.
 */
export const sessionOrigin = (parts: SessionParts): PaymentOrigin => ({
  paid: (tx, payments) =>
    endSessions(tx, parts, payments, 'completed', ({ status }) => status !== 'completed'),
  failed: (tx, payments) =>
    endSessions(
      tx,
      parts,
      payments,
      'expired',
      (session, at) => session.status === 'pending' && isPast(session, at),
    ),
})

async function endSessions(
  tx: Tx,
  parts: SessionParts,
  payments: Scoped<Payment>[],
  status: 'completed' | 'expired',
  isEnding: (session: Session, at: Date) => boolean,
): Promise<void> {
  const endedAt = new Map(
    payments.map(({ scope, originId, updatedAt }) => [nameIn(scope, originId), updatedAt]),
  )
  const sessions = await lockSessions(
    tx,
    payments.map(({ scope, originId }) => ({ scope, id: originId })),
  )
  const ended = sessions.flatMap((session) => {
    const at = endedAt.get(nameIn(session.scope, session.id))!
    return isEnding(session, at) ? [{ ...session, status, updatedAt: at }] : []
  })
  await updateStatuses(tx, ended)
  await publishEach(
    tx,
    ended.map((session) => ({
      ...sessionEvent(parts, session.scope, session, status),
      scope: session.scope,
    })),
  )
}

/** Expires a session whose time is over, unless an attempt is in flight: its end will come here again. */
export async function expireSession(
  tx: Tx,
  parts: SessionParts,
  scope: Scope,
  id: string,
  at: Date,
): Promise<void> {
  const session = await lockSession(tx, scope, id)
  if (session.status !== 'pending' || (await hasOpenAttempt(tx, scope, id))) return
  // Another node's clock may be a little ahead of this one's, and this may be an attempt that failed in good time.
  if (isPast(session, at)) await moveTo(tx, parts, scope, session, 'expired', at)
  else await scheduleExpiry(tx, scope, session)
}

export const scheduleExpiry = (tx: Tx, scope: Scope, { id, expiresAt }: Session) =>
  schedule(tx, expiresAt, 'checkout-session.expire', { ...scope, sessionId: id })

async function moveTo(
  tx: Tx,
  parts: SessionParts,
  scope: Scope,
  session: Session,
  status: SessionStatus,
  at: Date,
) {
  if (!(next[session.status] as readonly SessionStatus[]).includes(status))
    throw new Refusal('state_conflict')
  await updateStatus(tx, scope, session.id, status, at)
  const moved: Session = { ...session, status, updatedAt: at }
  await publishSession(tx, parts, scope, moved, status as Exclude<SessionStatus, 'pending'>)
  return moved
}

type SessionHappening = 'created' | Exclude<SessionStatus, 'pending'>

export const publishSession = (
  tx: Tx,
  parts: SessionParts,
  scope: Scope,
  session: Session,
  what: SessionHappening,
) => publish(tx, scope, sessionEvent(parts, scope, session, what))

const sessionEvent = (
  parts: SessionParts,
  scope: Scope,
  session: Session,
  what: SessionHappening,
): NewEvent => ({
  types: [`checkout_session.${what}`],
  objectId: session.id,
  data: presentSession(parts, scope, session),
  callbackState: session.callbackState,
  at: session.updatedAt,
})

async function lockSession(tx: Tx, scope: Scope, id: string): Promise<Session> {
  const session = await selectSession(tx, scope, id, sql`for update`)
  if (!session) throw new Refusal('not_found')
  return session
}

const isPast = (session: Session, at: Date) => at >= session.expiresAt

async function hasOpenAttempt(db: Reader, scope: Scope, id: string): Promise<boolean> {
  return (await findAttempts(db, scope, id, maxAttempts)).some(isOpen)
}

/** The newest attempt to pay a session, or none. */
export async function lastAttempt(db: Reader, scope: Scope, id: string): Promise<Payment | undefined> {
  return (await findAttempts(db, scope, id, 1))[0]
}

/** The resource as the API shows it. `callbackState` and `paymentOptions` stay with us. */
export function presentSession(parts: SessionParts, scope: Scope, session: Session) {
  return {
    id: showId('checkoutSession', session.id),
    name: session.name,
    reference: session.reference,
    description: session.description,
    status: session.status,
    redirectUrl: pageUrl(parts, scope, session.id),
    cancelUrl: session.cancelUrl,
    successUrl: session.successUrl,
    amount: { currency: session.currency, value: wholeNumber(session.amount) },
    orderNumber: session.orderNumber,
    lineItems: { data: session.lineItems.map((item) => ({ ...item, id: showId('lineItem', item.id) })) },
    financialAccountId: showId('financialAccount', session.financialAccountId),
    brandingOptions: { primaryColor: session.primaryColor },
    expireTime: session.expiresAt.toISOString(),
    createTime: session.createdAt.toISOString(),
    updateTime: session.updatedAt.toISOString(),
    ownershipGraph: spaceGraph(scope.spaceId),
    metadata: session.metadata,
  }
}
