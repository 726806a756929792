import { type EventType, publishEach } from '../events/events.ts'
import { instruct, type TakeUp } from '../instructions/instructions.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/failures.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { newId, showId } from '../platform/ids.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import { newReferences } from '../providers/references.ts'
import { type OwnerRef, ownerOf, ownershipGraph } from '../spaces/ownership.ts'
import { fingerprintOf, type Payer, presentChannel } from './channel.ts'
import type { Order } from './orders.ts'
import { paymentIds } from './resources.ts'
import {
  insertPayments,
  type Payment,
  selectAttempts,
  selectAttemptsOfEach,
  selectPayment,
  selectReferences,
  updateDetails,
} from './store.ts'

export type { Payment } from './store.ts'

export type PaymentParts = { seals: Seals; lanes: { takeUp: TakeUp } }

/** What is paid, by whom, through what. */
export type PaymentStart = {
  origin: { type: Payment['originType']; id: string; metadata: Metadata }
  /** Which attempts are counted together: after a restore, the next is the same one again. */
  attemptsOf: string
  order: Pick<Order, 'id' | 'number' | 'name' | 'amount' | 'currency'>
  reference: string | null
  financialAccountId: string
  /** Where the payer comes back to from a page of the rail, if they have a browser. */
  returnUrl: ((paymentId: string) => string) | null
} & Payer

/**
 * Starts attempts to pay, for whatever Spaces: each payer will be asked once the transaction commits.
 *
 * @throws Refusal `state_conflict` when another attempt for the same session is in flight
 */
export async function startPayments(
  tx: Tx,
  { seals, lanes }: PaymentParts,
  starts: Scoped<PaymentStart & { at: Date }>[],
): Promise<Scoped<Payment>[]> {
  const purposes = starts.map(({ scope, origin, attemptsOf }) => ({
    scope,
    purpose: `${origin.type} ${attemptsOf}`,
  }))
  const references = await newReferences(seals, purposes, (some) => selectReferences(tx, some))
  const created = starts.map((start, i) => newPayment(seals, start, references[i]!))
  const leaving = await instruct(
    tx,
    lanes,
    created.map((payment, i) => ({
      ...payment,
      kind: 'collect',
      account: payment.payerAccount,
      reference: payment.railReference,
      description: payment.name,
      returnUrl: starts[i]!.returnUrl?.(payment.id) ?? null,
    })),
  )
  const payments = created.map(
    (payment): Scoped<Payment> => (leaving.has(payment.id) ? { ...payment, status: 'processing' } : payment),
  )
  await insertPayments(tx, payments).catch((error) => {
    // Many are tried again one by one: only one of them may be meant.
    if (starts.length === 1 && isAnotherUnderWay(error))
      throw new Refusal('state_conflict', { message: 'Another payment is under way.' })
    throw error
  })
  publishPayments(tx, 'payment.created', created)
  publishPayments(
    tx,
    'payment.processing',
    payments.filter(({ id }) => leaving.has(id)),
  )
  return payments
}

const isAnotherUnderWay = (error: unknown) =>
  ['payments_in_flight', 'payments_rail_reference'].includes(violatedConstraint(error) ?? '')

function newPayment(
  seals: Seals,
  start: Scoped<PaymentStart & { at: Date }>,
  railReference: string,
): Scoped<Payment> {
  const { scope, at } = start
  return {
    scope,
    id: newId(at),
    status: 'pending',
    amount: start.order.amount,
    currency: start.order.currency,
    name: start.order.name,
    reference: start.reference,
    orderId: start.order.id,
    orderNumber: start.order.number,
    originType: start.origin.type,
    originId: start.origin.id,
    originMetadata: start.origin.metadata,
    financialAccountId: start.financialAccountId,
    channelType: start.type,
    providerId: start.providerId,
    payerAccount: start.account,
    payerFingerprint: fingerprintOf(seals, scope, start),
    cardScheme: null,
    cardLast4: null,
    redirectUrl: null,
    guidance: null,
    redirectedAt: null,
    railReference,
    railTransaction: null,
    ledgerReference: null,
    fees: [],
    failureCode: null,
    failureMessage: null,
    metadata: {},
    createdAt: at,
    updatedAt: at,
  }
}

export { shareLastAttempts } from './store.ts'

export const findPayment = (db: Reader, scope: Scope, id: string) => selectPayment(db, scope, id)

/** All attempts to pay one thing, newest first, at most `atMost`. */
export const findAttempts = (db: Reader, scope: Scope, originId: string, atMost: number) =>
  selectAttempts(db, scope, originId, atMost)

/** The same for each of many things, by the id of that. */
export const findAttemptsOfEach = async (db: Reader, origins: Scoped<{ id: string }>[], atMost: number) =>
  Map.groupBy(await selectAttemptsOfEach(db, origins, atMost), ({ scope, originId }) =>
    nameIn(scope, originId),
  )

/** Whether money may still arrive through this attempt, or has. */
export const isOpen = ({ status }: Payment) => status !== 'failed'

export type PaymentChange = { name?: string | null; metadata?: Metadata | null }

export async function changePayment(tx: Tx, scope: Scope, id: string, change: PaymentChange, at: Date) {
  const payment = await selectPayment(tx, scope, id, sql`for update`)
  if (!payment) throw new Refusal('not_found')
  const faults = new Faults()
  judgeName(payment, change.name, faults)
  faults.refuse()
  const changed: Payment = {
    ...payment,
    ...(change.name !== undefined && { name: change.name ?? '' }),
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await updateDetails(tx, scope, changed)
  return changed
}

const maxNewName = 100

/** A payment's first name is its order's and may be longer than one that is given: what was read can be written back. */
export function judgeName({ name }: Payment, given: string | null | undefined, faults: Faults): void {
  if (given && given !== name && [...given].length > maxNewName)
    faults.add('name', `must have at most ${maxNewName} characters, or be what it is`)
}

export const publishPayments = (tx: Tx, type: EventType, payments: Scoped<Payment>[]) =>
  publishEach(
    tx,
    payments.map((payment) => ({
      scope: payment.scope,
      types: [type],
      objectId: payment.id,
      data: presentPayment(payment.scope, payment),
      at: payment.updatedAt,
    })),
  )

/** What a payment is for. */
export const originOf = ({ originType, originId, originMetadata }: Payment): OwnerRef =>
  ownerOf(originType, { id: originId, metadata: originMetadata })

/** The resource as the API shows it. The payer's account is masked; its fingerprint tells payers apart. */
export function presentPayment({ spaceId }: Scope, payment: Payment) {
  const money = (value: bigint) => ({ currency: payment.currency, value: wholeNumber(value) })
  return {
    id: showId(paymentIds, payment.id),
    status: payment.status,
    amount: money(payment.amount),
    channel: presentChannel(payment),
    name: payment.name,
    reference: payment.reference,
    orderNumber: payment.orderNumber,
    financialAccountId: showId(accountIds, payment.financialAccountId),
    financialTransactionReference: payment.ledgerReference,
    fees: payment.fees.map((fee) => ({ code: fee.code, amount: money(BigInt(fee.amount)), metadata: {} })),
    failureDetail: payment.failureCode
      ? { code: payment.failureCode, message: payment.failureMessage ?? '' }
      : null,
    instructions: payment.guidance,
    createTime: payment.createdAt.toISOString(),
    updateTime: payment.updatedAt.toISOString(),
    ownershipGraph: ownershipGraph(spaceId, [originOf(payment)]),
    metadata: payment.metadata,
  }
}
