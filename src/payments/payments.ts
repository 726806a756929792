import type { Admit } from '../instructions/instructions.ts'
import { newRow, openMovedRows, presentMoved } from '../instructions/moved-rows.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/failures.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import { newReferences } from '../providers/references.ts'
import { type OwnerRef, ownerOf, ownershipGraph } from '../spaces/ownership.ts'
import { fingerprintOf, type Payer, presentChannel } from './channel.ts'
import type { Order } from './orders.ts'
import { presentRefunded, unrefunded } from './refundable.ts'
import { paymentIds } from './resources.ts'
import {
  insertPayments,
  lockPayments,
  type Payment,
  selectAttemptsOfEach,
  selectPayment,
  selectReferences,
  updateDetails,
  writeMoved,
} from './store.ts'

export {
  lockPayments,
  type Payment,
  selectAttempts as findAttempts,
  selectPayment as findPayment,
  shareLastAttempts,
  sharePayments,
} from './store.ts'

export type PaymentParts = { seals: Seals; lanes: { admit: Admit } }

/** What is paid, by whom, through what. */
export type PaymentStart = {
  origin: { type: Payment['originType']; id: string; metadata: Metadata }
  /** What its rail reference is derived from: something that is the same when it is paid again after a restore. */
  purpose: string
  order: Pick<Order, 'id' | 'number' | 'name' | 'amount' | 'currency'>
  reference: string | null
  financialAccountId: string
  /** Where the payer comes back to from a page of the rail, if they have a browser. */
  returnUrl: ((paymentId: string) => string) | null
} & Payer

/**
 * Starts attempts to pay, for whatever Spaces: payers get their prompts once the transaction has committed.
 *
 * @throws Refusal `state_conflict` when another attempt for the same session is in flight
 */
export async function startPayments(
  tx: Tx,
  { seals, lanes }: PaymentParts,
  starts: Scoped<PaymentStart & { at: Date }>[],
): Promise<Scoped<Payment>[]> {
  const references = await newReferences(seals, starts, (some) => selectReferences(tx, some))
  const created = starts.map((start, i) => newPayment(seals, start, must(references[i], 'rail reference')))
  paymentRows.publish(tx, created, 'payment.created')
  const payments = await paymentRows.instruct(tx, lanes, created, (payment, i) => ({
    kind: 'collect',
    account: payment.payerAccount,
    description: payment.name,
    orderNumber: payment.orderNumber,
    returnUrl: starts[i]?.returnUrl?.(payment.id) ?? null,
  }))
  await insertPayments(tx, payments).catch((error) => {
    // Many are tried again one by one: only one of them may be meant.
    if (starts.length === 1 && isAnotherUnderWay(error))
      throw new Refusal('state_conflict', { message: 'Another payment is under way.' })
    throw error
  })
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
    ...newRow(at),
    scope,
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
    payerMask: start.mask ?? null,
    payerFingerprint: fingerprintOf(seals, scope, start),
    cardScheme: null,
    cardLast4: null,
    redirectUrl: null,
    guidance: null,
    redirectedAt: null,
    codesSubmitted: 0,
    railReference,
    ...unrefunded,
    fees: [],
    metadata: {},
  }
}

/** Newest first, at most `atMost` of each thing that is paid, by its id. */
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
  const name = change.name === undefined ? payment.name : (change.name ?? '')
  const metadata = change.metadata === undefined ? payment.metadata : (change.metadata ?? {})
  const changed: Payment = { ...payment, name, metadata, updatedAt: at }
  await updateDetails(tx, scope, changed)
  return changed
}

const maxNewName = 100 // limit: characters of a payment’s new name

/** A payment has its order's name, which may be longer than a new one: what was read can be written back. */
export function judgeName({ name }: Payment, newName: string | null | undefined, faults: Faults): void {
  if (newName && newName !== name && [...newName].length > maxNewName)
    faults.add('name', `must have at most ${maxNewName} characters, or be what it is`)
}

export const paymentRows = openMovedRows<Payment>({
  noun: 'payment',
  lock: lockPayments,
  write: writeMoved,
  present: (payment) => presentPayment(payment.scope, payment),
})

/** What a payment is for. */
export const originOf = ({ originType, originId, originMetadata }: Payment): OwnerRef =>
  ownerOf(originType, { id: originId, metadata: originMetadata })

/** The resource as the API shows it. The payer's account is masked; its fingerprint distinguishes payers. */
export function presentPayment({ spaceId }: Scope, payment: Payment) {
  const { money, amount, fees, failureDetail } = presentMoved(payment)
  return {
    id: showId(paymentIds, payment.id),
    status: payment.status,
    amount,
    channel: presentChannel(payment),
    name: payment.name,
    reference: payment.reference,
    orderNumber: payment.orderNumber,
    financialAccountId: showId(accountIds, payment.financialAccountId),
    financialTransactionReference: payment.ledgerReference,
    fees,
    refund: presentRefunded(payment, money),
    failureDetail,
    instructions: payment.guidance,
    createTime: payment.createdAt.toISOString(),
    updateTime: payment.updatedAt.toISOString(),
    ownershipGraph: ownershipGraph(spaceId, [originOf(payment)]),
    metadata: payment.metadata,
  }
}
