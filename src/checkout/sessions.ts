import { isSupportedCurrency } from '../countries/money.ts'
import { publish } from '../events/events.ts'
import { findAccount, mainAccount } from '../ledger/accounts.ts'
import { createOrder } from '../payments/orders.ts'
import { findAttempts, isOpen, type Payment, startPayment } from '../payments/payments.ts'
import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { parseDuration } from '../platform/duration.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { maxAmount } from '../platform/http/shapes.ts'
import { newId, readId, showId } from '../platform/ids.ts'
import { schedule } from '../platform/jobs/queue.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { spaceGraph } from '../spaces/ownership.ts'
import { pageUrl } from './page-key.ts'
import { checkPaymentOptions } from './payment-options.ts'
import type { NewSession } from './shapes.ts'
import {
  insertSession,
  type LineItem,
  type Session,
  type SessionStatus,
  selectSession,
  updateStatus,
} from './store.ts'

export type { Session } from './store.ts'

/** From which state a session may go where. Anything else is refused, in `moveTo`. */
const next = {
  pending: ['completed', 'cancelled', 'expired'],
  completed: [],
  cancelled: [],
  expired: [],
} as const satisfies Record<SessionStatus, readonly SessionStatus[]>

const defaultDuration = '1h'
/** Failed attempts that one session bears: each of them rings somebody's phone. */
const maxAttempts = 20

export type SessionParts = { baseUrl: string; seals: Seals; catalogue: Catalogue }

export async function createSession(
  tx: Tx,
  { catalogue }: SessionParts,
  scope: Scope,
  given: NewSession,
  at: Date,
) {
  const faults = new Faults()
  const { amount, currency } = checkLineItems(given.lineItems, faults)
  checkPaymentOptions(given.paymentOptions ?? {}, catalogue, faults)
  checkUrls(scope, given, faults)
  const accountId = await checkAccount(tx, scope, given.financialAccountId, currency, faults)
  faults.refuse()
  const order = await createOrder(tx, scope, { name: given.name, amount, currency }, at)
  const session: Session = {
    id: newId(at),
    status: 'pending',
    name: given.name,
    description: given.description || null,
    reference: given.reference || null,
    successUrl: given.successUrl ?? null,
    cancelUrl: given.cancelUrl ?? null,
    callbackState: given.callbackState || null,
    lineItems: given.lineItems.map((item) => newLineItem(item, at)),
    paymentOptions: given.paymentOptions ?? {},
    primaryColor: given.brandingOptions?.primaryColor ?? null,
    financialAccountId: accountId ?? (await mainAccount(tx, scope, currency, at)),
    orderId: order.id,
    orderNumber: order.number,
    amount,
    currency,
    metadata: given.metadata ?? {},
    expiresAt: new Date(at.getTime() + parseDuration(given.duration ?? defaultDuration)!),
    createdAt: at,
    updatedAt: at,
  }
  await insertSession(tx, scope, session)
  await scheduleExpiry(tx, scope, session)
  return session
}

/** The sum of price × quantity in the items' one currency; what forbids a sum is added to `faults`. */
function checkLineItems(items: NewSession['lineItems'], faults: Faults) {
  const currency = items[0]!.price.currency
  const references = new Set<string>()
  let amount = 0n
  items.forEach((item, i) => {
    if (item.price.currency !== currency)
      faults.add(`lineItems[${i}].price.currency`, `must be ${currency}, as in the first item`)
    if (item.reference && references.has(item.reference))
      faults.add(`lineItems[${i}].reference`, 'must be unique in the session')
    references.add(item.reference ?? '')
    amount += BigInt(item.price.value) * BigInt(item.quantity ?? 1)
  })
  if (!isSupportedCurrency(currency)) faults.add('lineItems[0].price.currency', 'is not a supported currency')
  if (amount > BigInt(maxAmount)) faults.add('lineItems', `must not sum to more than ${maxAmount}`)
  return { amount, currency }
}

function checkUrls({ environment }: Scope, given: NewSession, faults: Faults): void {
  if (environment !== 'live') return
  for (const name of ['successUrl', 'cancelUrl'] as const)
    if (given[name] && !/^https:/i.test(given[name])) faults.add(name, 'must begin with https:// in live')
}

async function checkAccount(
  db: Reader,
  scope: Scope,
  shown: string | undefined,
  currency: string,
  faults: Faults,
): Promise<string | undefined> {
  if (shown === undefined) return undefined
  const id = readId('financialAccount', shown)
  const account = id ? await findAccount(db, scope, id) : undefined
  if (!account) faults.add('financialAccountId', 'names no financial account here')
  else if (account.currency !== currency)
    faults.add('financialAccountId', `is an account in ${account.currency}, not ${currency}`)
  return account?.id
}

const newLineItem = (item: NewSession['lineItems'][number], at: Date): LineItem => ({
  id: newId(at),
  type: 'custom',
  name: item.name,
  price: item.price,
  quantity: item.quantity ?? 1,
  reference: item.reference || null,
  description: item.description || null,
  images: item.images ?? [],
})

export type Attempt = { providerId: string; phoneNumber: string }

/** The payer asks to pay. Refuses unless the session is pending, in time, and no other attempt is in flight. */
export async function paySession(tx: Tx, seals: Seals, scope: Scope, id: string, attempt: Attempt, at: Date) {
  const session = await lockSession(tx, scope, id)
  const attempts = await findAttempts(tx, scope, id, maxAttempts)
  if (session.status !== 'pending' || isPast(session, at) || attempts.some(isOpen))
    throw new Refusal('state_conflict')
  if (attempts.length >= maxAttempts) throw new Refusal('too_many_requests')
  return startPayment(
    tx,
    seals,
    scope,
    {
      origin: { type: 'checkout_session', id },
      order: {
        id: session.orderId,
        number: session.orderNumber,
        name: session.name,
        amount: session.amount,
        currency: session.currency,
      },
      reference: session.reference,
      financialAccountId: session.financialAccountId,
      ...attempt,
    },
    at,
  )
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

/** A payment for the session completed. Money decides: that is so whatever else was about to happen to it. */
export async function completeSession(
  tx: Tx,
  parts: SessionParts,
  scope: Scope,
  id: string,
  at: Date,
): Promise<void> {
  const session = await lockSession(tx, scope, id)
  if (session.status !== 'completed') await moveTo(tx, parts, scope, session, 'completed', at)
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

const scheduleExpiry = (tx: Tx, scope: Scope, { id, expiresAt }: Session) =>
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

export const publishSession = (
  tx: Tx,
  parts: SessionParts,
  scope: Scope,
  session: Session,
  what: 'created' | Exclude<SessionStatus, 'pending'>,
) =>
  publish(tx, scope, session.updatedAt, {
    type: `checkout_session.${what}`,
    objectId: session.id,
    data: presentSession(parts, scope, session),
    callbackState: session.callbackState,
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
