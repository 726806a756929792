import { must } from '@pesewa/values'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import { newReferences } from '../../rails/connections/references.ts'
import type { Admit } from '../../rails/instructions/instructions.ts'
import {
  newRow,
  openTransactionRows,
  presentTransaction,
  selectReferencesOf,
} from '../../rails/instructions/transaction-rows.ts'
import { currentOwner, type OwnerRef, presentOwned } from '../../tenants/spaces/ownership.ts'
import { fingerprintOf, type Payer, presentChannel } from './channel.ts'
import { presentRefunded, unrefunded } from './refundable.ts'
import { paymentIds } from './resources.ts'
import {
  awaitTurn,
  insertPayments,
  lockPayments,
  type Order,
  type Payment,
  selectAttemptsOfEach,
  selectPayment,
  updateDetails,
  writeMoved,
} from './store.ts'

export type PaymentParts = { seals: Seals; queues: { admit: Admit } }

/** An order to be paid, its payer, and the payer's provider. */
export type PaymentStart = {
  origin: { type: Payment['originType']; id: string; metadata: Metadata }
  /**
   * Text from which the rail reference is derived. It must be the same if the payment is repeated after a
   * restore.
   */
  purpose: string
  order: Pick<Order, 'id' | 'number' | 'name' | 'amount' | 'currency'>
  /** The merchant's name as shown to payers, if the payer's phone should show it, too. */
  payee?: string | undefined
  reference: string | null
  financialAccountId: string
  /**
   * Returns the URL to which the payer is redirected from the rail's page; null if the payer does not use a
   * browser.
   */
  returnUrl: ((paymentId: string) => string) | null
  /** The id of the session's attempt that is in flight when this one is started, if there is one. */
  supersedes?: string | undefined
} & Payer

/**
 * Starts payment attempts, which may belong to several Spaces. Payers receive their prompts after the commit.
 *
 * @throws Refusal `state_conflict` if another attempt with the same predecessor is in flight for the session
 */
export async function startPayments(
  tx: Tx,
  { seals, queues }: PaymentParts,
  starts: Scoped<PaymentStart & { at: Date }>[],
): Promise<Scoped<Payment>[]> {
  // Rail references are unique within a month, so payments of two months must not choose theirs at the same time.
  if (starts.some(({ at }) => isNearMonthEnd(at))) await awaitTurn(tx)
  const references = await newReferences(seals, starts, (some) => selectReferencesOf(tx, sql`payments`, some))
  const created = starts.map((start, i) => newPayment(seals, start, must(references[i], 'rail reference')))
  paymentRows.publish(tx, created, 'payment.created')
  const payments = paymentRows.instruct(tx, queues, created, (payment, i) => ({
    kind: 'collect',
    account: payment.payerAccount,
    description: describe(payment, starts[i]?.payee),
    orderNumber: payment.orderNumber,
    returnUrl: starts[i]?.returnUrl?.(payment.id) ?? null,
  }))
  await insertPayments(tx, payments).catch((error) => {
    // If a batch of payments fails, each of them is retried alone, since the failure may have been caused by
    // just one of them.
    if (starts.length === 1 && isAnotherUnderWay(error))
      throw new Refusal('state_conflict', { message: 'Another payment is already in progress.' })
    throw error
  })
  return payments
}

/** Returns whether a payment that starts on another node in the same moment may have an id of another month. */
const isNearMonthEnd = (at: Date) =>
  new Date(at.getTime() - monthEndMs).getUTCMonth() !== new Date(at.getTime() + monthEndMs).getUTCMonth()

const monthEndMs = 60_000 // more than the time that a transaction takes and by which clocks of nodes differ

/** Returns what the payer's phone shows, as far as the provider has room for it. The merchant comes first. */
const describe = ({ name }: Pick<Payment, 'name'>, payee: string | undefined) =>
  payee === undefined || name.startsWith(payee)
    ? name
    : [...`${payee}: ${name}`].slice(0, maxDescriptionLength).join('')

const maxDescriptionLength = 150 // length of the description of a payment that a rail receives

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
    supersedes: start.supersedes ?? null,
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

/**
 * Returns up to `atMost` attempts for each origin, newest first. The map's keys are the global names of the
 * origins.
 */
export const findAttemptsOfEach = async (db: Reader, origins: Scoped<{ id: string }>[], atMost: number) =>
  Map.groupBy(await selectAttemptsOfEach(db, origins, atMost), ({ scope, originId }) =>
    globalName(scope, originId),
  )

/** Returns whether the outcome of an attempt is not known yet. */
export const isInFlight = ({ status }: Payment) => status === 'pending' || status === 'processing'

export type PaymentChange = { name?: string | null; metadata?: Metadata | null }

export async function changePayment(tx: Tx, scope: Scope, id: string, change: PaymentChange, at: Date) {
  const payment = existing(await selectPayment(tx, scope, id, sql`for update`))
  const issues = new Issues()
  validateName(payment, change.name, issues)
  issues.refuse()
  const name = change.name === undefined ? payment.name : (change.name ?? '')
  const metadata = change.metadata === undefined ? payment.metadata : (change.metadata ?? {})
  const changed: Payment = { ...payment, name, metadata, updatedAt: at }
  await updateDetails(tx, scope, changed)
  return changed
}

const maxNewName = 100 // maximum number of characters in a payment’s new name

/**
 * Adds an issue if the new name is too long. The current name is accepted at any length, since it was set by
 * the order and clients may send it back unchanged.
 */
export function validateName({ name }: Payment, newName: string | null | undefined, issues: Issues): void {
  if (newName && newName !== name && [...newName].length > maxNewName)
    issues.add('name', `must be at most ${maxNewName} characters`)
}

export const paymentRows = openTransactionRows<Payment>({
  noun: 'payment',
  lock: lockPayments,
  write: writeMoved,
  present: (payment) => presentPayment(payment.scope, payment),
})

/** Returns the session or payment code that the payment belongs to. */
export const originOf = ({ originType, originId, originMetadata }: Payment): OwnerRef =>
  currentOwner(originType, { id: originId, metadata: originMetadata })

/**
 * Returns the payment as an API resource. The payer's account is masked; the fingerprint can be used to
 * recognize the payer.
 */
export function presentPayment({ spaceId }: Scope, payment: Payment) {
  const { money, amount, fees, failureDetail } = presentTransaction(payment)
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
    ...presentOwned(spaceId, payment, [originOf(payment)]),
  }
}
