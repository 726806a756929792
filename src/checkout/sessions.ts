import { publishEach } from '../events/events.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Payer } from '../payments/channel.ts'
import type { PaymentOrigin } from '../payments/follower.ts'
import { findAttempts, isOpen, type Payment } from '../payments/payments.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { showId } from '../platform/ids.ts'
import { scheduleEach } from '../platform/jobs/queue.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { spaceGraph } from '../spaces/ownership.ts'
import { pageUrl } from './page-key.ts'
import { lineItemIds, sessionIds } from './resources.ts'
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
const next: Readonly<Record<SessionStatus, readonly Ended[]>> = {
  pending: ['completed', 'cancelled', 'expired'],
  completed: [],
  cancelled: [],
  expired: [],
}

/** Failed attempts that one session bears: each of them rings somebody's phone. */
export const maxAttempts = 20

export type SessionParts = { baseUrl: string; seals: Seals; catalogue: Catalogue }

export type Attempt = Payer

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
    const at = must(endedAt.get(nameIn(session.scope, session.id)), 'payment of a session')
    return isEnding(session, at) ? [{ ...session, status, updatedAt: at }] : []
  })
  await updateStatuses(tx, ended)
  publishEach(
    tx,
    ended.map((session) => ({
      ...happened(`checkout_session.${status}`, session),
      data: presentSession(parts, session.scope, session),
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
  else await scheduleEach(tx, [expiryOf({ ...session, scope })])
}

/** What is to happen when a session's time is over. */
export const expiryOf = ({ scope, id, expiresAt }: Scoped<Session>) => ({
  dueAt: expiresAt,
  job: 'checkout-session.expire',
  payload: { ...scope, sessionId: id },
})

async function moveTo(tx: Tx, parts: SessionParts, scope: Scope, session: Session, status: Ended, at: Date) {
  if (!next[session.status].includes(status)) throw new Refusal('state_conflict')
  await updateStatus(tx, scope, session.id, status, at)
  const moved = { ...session, scope, status, updatedAt: at }
  const data = presentSession(parts, scope, moved)
  publishEach(tx, [{ ...happened(`checkout_session.${status}`, moved), data }])
  return moved
}

type Ended = Exclude<SessionStatus, 'pending'>

/** What an event says of a session, beside the resource itself. */
export const happened = (type: `checkout_session.${'created' | Ended}`, session: Scoped<Session>) => ({
  scope: session.scope,
  types: [type] as const,
  objectId: session.id,
  callbackState: session.callbackState,
  at: session.updatedAt,
})

async function lockSession(tx: Tx, scope: Scope, id: string): Promise<Session> {
  const session = await selectSession(tx, scope, id, sql`for update`)
  if (!session) throw new Refusal('not_found')
  return session
}

export const isPast = (session: Session, at: Date) => at >= session.expiresAt

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
    expireTime: session.expiresAt.toISOString(),
    createTime: session.createdAt.toISOString(),
    updateTime: session.updatedAt.toISOString(),
    ownershipGraph: spaceGraph(scope.spaceId),
    metadata: session.metadata,
  }
}
