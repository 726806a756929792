import { must } from '@pesewa/values'
import { selectContradicted } from '../../ledger/accounts/case-store.ts'
import { reserveEach } from '../../ledger/accounts/holds.ts'
import { referenceTime } from '../../ledger/accounts/reference.ts'
import type { Outcome } from '../../platform/batches.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { readId } from '../../platform/ids.ts'
import { argumentRefusal, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Connectors } from '../../rails/connections/connectors.ts'
import { newReferences } from '../../rails/connections/references.ts'
import { findConnections } from '../../rails/instructions/instructions.ts'
import { newRow, selectReferencesOf } from '../../rails/instructions/transaction-rows.ts'
import { erased } from '../../tenants/retention/person.ts'
import { announceApprovals } from '../approvals/announcing.ts'
import { newApproval } from '../approvals/approvals.ts'
import { checkApprovals } from '../approvals/policy.ts'
import { type Fee, findFees, sumFees } from '../fees/fees.ts'
import { originOf } from '../payments/payments.ts'
import { received, refundable, withoutRefund, withRefund, writeRefunded } from '../payments/refundable.ts'
import { paymentIds } from '../payments/resources.ts'
import { lockPayments, type Payment, selectPayment } from '../payments/store.ts'
import { findPolicies } from './policies.ts'
import { giveUpLater, holdOf } from './queue.ts'
import { instructRefunds, type RefundParts, refundRows } from './refunds.ts'
import type { RefundSettings } from './settings.ts'
import {
  type Bearer,
  isAutomatic,
  type Refund,
  type RefundMethod,
  type RefundReason,
  writeRefunds,
} from './store.ts'

/** A refund as requested, with ids in their public form. */
export type NewRefund = {
  paymentId: string
  /** By default, everything that can still be refunded. */
  amount?: { currency: string; value: number } | undefined
  reason: RefundReason
  note?: string | undefined
  payerMessage?: string | undefined
  bearer?: Bearer | undefined
  metadata?: Metadata | undefined
  /** The user who created the refund; null if the operator or the service did. */
  userId: string | null
  /**
   * True if the creator may only propose refunds. Another user must then approve the refund, whatever its
   * amount.
   */
  isProposal?: boolean
  /**
   * Text from which the rail reference is derived; a client that repeats the request sends the same text (see
   * `newReferences`).
   */
  purpose: string
  at: Date
}

/** The well-formed parts of a request that is to be validated. */
export type ValidRefundPart = WellFormed<Pick<NewRefund, 'paymentId' | 'amount'>>

/** A request whose amount has already been reserved on its payment. */
type Draft = {
  request: Scoped<NewRefund>
  payment: Scoped<Payment>
  amount: bigint
  /** The connection that collected the payment and will refund it. */
  connection: string | null
}

/** A draft with its fees and method. `net` is the amount that reaches the payer. */
type PricedDraft = Draft & { fees: Fee[]; net: bigint; method: RefundMethod }

/**
 * Creates refunds, which may belong to several Spaces. Each refund is created completely or not at all. They
 * are processed in the given order, and the amount of each one is reserved on its payment before the next one
 * is processed. The amount and the fee are held in the account that received the payment.
 */
export async function createRefunds(
  tx: Tx,
  parts: RefundParts,
  requests: Scoped<NewRefund>[],
): Promise<Outcome<Scoped<Refund>>[]> {
  const payments = byGlobalName(await lockPayments(tx, requests.flatMap(paymentKeyOf)))
  const connections = await findConnections(tx, [...payments.values()])
  const contradicted = byGlobalName(await selectContradicted(tx, 'payment', [...payments.values()]))
  const errors = new Map<Scoped<NewRefund>, unknown>()
  const drafts = requests.flatMap((request) => {
    try {
      refuseIfNeverArrived(request, contradicted)
      return [draftOf(parts, request, payments, connections)]
    } catch (error) {
      errors.set(request, error)
      return []
    }
  })
  const refuse = ({ request, payment, amount }: Draft, refusal: Refusal) => {
    errors.set(request, refusal)
    const name = globalName(payment.scope, payment.id)
    payments.set(name, withoutRefund(must(payments.get(name), 'payment of a refund'), amount, request.at))
  }
  const priced = await price(tx, parts, drafts, refuse)
  const created = await createDrafts(tx, parts, priced, refuse)
  const touched = new Set([...created.values()].map(({ scope, paymentId }) => globalName(scope, paymentId)))
  if (touched.size > 0)
    writeRefunded(
      tx,
      [...payments].flatMap(([name, payment]) => (touched.has(name) ? [payment] : [])),
    )
  return requests.map((request) => {
    const answer = created.get(request)
    return answer ? { answer } : { error: must(errors.get(request), 'refusal of a refund') }
  })
}

const paymentKeyOf = ({ scope, paymentId }: Scoped<ValidRefundPart>) => {
  const id = readId(paymentIds, paymentId ?? '')
  return id ? [{ scope, id }] : []
}

/**
 * Refuses a refund if its provider has reported that the payment never arrived. Since the payments are locked,
 * a case is opened either before the refund or after it.
 */
function refuseIfNeverArrived(request: Scoped<NewRefund>, contradicted: Map<string, unknown>): void {
  if (paymentKeyOf(request).some(({ scope, id }) => contradicted.has(globalName(scope, id))))
    throw new Refusal('state_conflict', { message: neverArrived })
}

export const neverArrived =
  'The provider reports that this payment never arrived. The operator will resolve the case.'

/** Adds an issue for each error in the well-formed parts of a request. */
export async function validateRefund(
  db: Reader,
  request: Scoped<ValidRefundPart>,
  issues: Issues,
): Promise<void> {
  const [key] = paymentKeyOf(request)
  validateOne(request, key && (await selectPayment(db, key.scope, key.id)), issues)
}

function validateOne(
  { paymentId, amount }: ValidRefundPart,
  payment: Payment | undefined,
  issues: Issues,
): void {
  if (paymentId === undefined) return
  if (!payment || !isRefundable(payment))
    issues.add('paymentId', 'does not name a completed payment in this Space and environment')
  else if (amount?.currency !== undefined && amount.currency !== payment.currency)
    issues.add('amount.currency', `must be ${payment.currency}, the currency of the payment`)
}

const isRefundable = ({ status, lateReceived }: Payment) => status === 'completed' || lateReceived > 0n

/** Validates a request, and reserves its amount on its payment in `payments`. */
function draftOf(
  { connectors, settings }: RefundParts,
  request: Scoped<NewRefund>,
  payments: Map<string, Scoped<Payment>>,
  connections: Map<string, string | null>,
): Draft {
  const [key] = paymentKeyOf(request)
  const payment = key && payments.get(globalName(key.scope, key.id))
  const issues = new Issues()
  validateOne(request, payment, issues)
  issues.refuse()
  const { at, amount: requested } = request
  const found = must(payment, 'payment of a refund')
  const amount = requested ? BigInt(requested.value) : refundable(found)
  const reserved = withRefund(found, amount, at)
  if (!isAutomatic(request)) refuseWhenClosed(found, at, settings)
  const { providerId, scope } = found
  // Payments that are older than named connections used the first connection. It is recorded here in case the
  // order of the connections changes.
  const connection =
    connections.get(globalName(scope, found.id)) ??
    connectors.findRoutes(providerId, scope.environment)[0]?.connection ??
    null
  if (!methodOf(connectors, found, connection, amount)) throw new Refusal('refund_unsupported')
  payments.set(globalName(found.scope, found.id), reserved)
  return { request, payment: found, amount, connection }
}

/**
 * Refuses a refund if its payment was completed too long ago, or if it is not known any more who paid it. The payment's ledger reference starts with the
 * time of its completion.
 */
function refuseWhenClosed(
  { ledgerReference, payerAccount }: Payment,
  at: Date,
  { refundWindowMs }: RefundSettings,
): void {
  if (payerAccount === erased) throw new Refusal('refund_window_closed')
  if (ledgerReference && at.getTime() > referenceTime(ledgerReference).getTime() + refundWindowMs)
    throw new Refusal('refund_window_closed')
}

/**
 * Returns whether all of a provider's connections can return a payment of this amount in full to this account
 * (null for a card).
 */
export function canReturn(
  connectors: Connectors,
  { environment }: Scope,
  { providerId, payerAccount }: Pick<Payment, 'providerId' | 'payerAccount'>,
): boolean {
  const routes = connectors.findRoutes(providerId, environment)
  return (
    routes.length > 0 &&
    routes.every(
      ({ connector: { refund, queryRefund, disburse } }) =>
        (refund && queryRefund) || (disburse && payerAccount !== null),
    )
  )
}

/**
 * Returns the method by which an amount reaches the payer, or `undefined` if the provider supports neither
 * refunds nor payouts. A partial refund is sent as a payout if the provider only supports full refunds.
 */
function methodOf(
  connectors: Connectors,
  payment: Scoped<Payment>,
  connection: string | null,
  net: bigint,
): RefundMethod | undefined {
  const { scope, providerId, payerAccount } = payment
  const { refund, queryRefund, refundsWholeOnly, disburse } =
    connectors.findConnector(providerId, scope.environment, connection) ?? {}
  if (refund && queryRefund && (!refundsWholeOnly || net === received(payment))) return 'provider_refund'
  return disburse && payerAccount !== null ? 'payout' : undefined
}

type Refuse = (draft: Draft, refusal: Refusal) => void

/**
 * Adds the fee, the net amount and the method to each draft, and refuses drafts that cannot be refunded. Late
 * payments and payments that were made twice are refunded without a fee, because their money never belonged to
 * the merchant.
 */
async function price(
  tx: Tx,
  { connectors }: RefundParts,
  drafts: Draft[],
  refuse: Refuse,
): Promise<PricedDraft[]> {
  const fees = await findFees(
    tx,
    drafts.map(({ request: { scope }, payment: { currency }, amount }) => ({ scope, currency, amount })),
    'refund',
  )
  return drafts.flatMap((draft, i) => {
    const { request, payment, amount, connection } = draft
    const isFree = payment.status !== 'completed' || isAutomatic(request)
    const ownFees = isFree ? [] : must(fees[i], 'fees of a refund')
    const fee = sumFees(ownFees)
    const net = request.bearer === 'payer' ? amount - fee : amount
    const method = net > 0n && methodOf(connectors, payment, connection, net)
    if (method) return [{ ...draft, fees: ownFees, net, method }]
    refuse(draft, net > 0n ? new Refusal('refund_unsupported') : feeTooHigh(fee))
    return []
  })
}

const feeTooHigh = (fee: bigint) =>
  argumentRefusal('amount', `must be more than the fee of ${fee}, which the payer bears`)

/** Holds the money for drafts, and creates their refunds. */
async function createDrafts(
  tx: Tx,
  parts: RefundParts,
  drafts: PricedDraft[],
  refuse: Refuse,
): Promise<Map<Scoped<NewRefund>, Scoped<Refund>>> {
  if (drafts.length === 0) return new Map()
  const rows = await buildRefunds(tx, parts, drafts)
  const policies = await findPolicies(tx, rows)
  const holds = await reserveEach(
    tx,
    rows.map((row) => holdOf(row, row.createdAt)),
  )
  const created = new Map<Scoped<NewRefund>, Scoped<Refund>>()
  for (const [i, draft] of drafts.entries()) {
    const row = must(rows[i], 'row of a refund')
    const hold = holds[i]
    if (hold) created.set(draft.request, { ...row, holdId: hold.id })
    else if (policies[i]?.queuesWhenShort || isAutomatic(row))
      created.set(draft.request, { ...row, pendingReason: row.pendingReason ?? 'insufficient_balance' })
    else refuse(draft, new Refusal('fund_insufficient'))
  }
  const refunds = [...created.values()]
  refundRows.publish(tx, refunds, 'refund.created')
  const instructed = byGlobalName(instructRefunds(tx, parts, refunds.filter(isToBeSent)))
  writeRefunds(
    tx,
    refunds.map((refund) => instructed.get(globalName(refund.scope, refund.id)) ?? refund),
  )
  const toApprove = refunds.filter(({ pendingReason }) => pendingReason === 'approval')
  announceApprovals(tx, 'refunds:approve', toApprove)
  for (const refund of refunds)
    if (refund.pendingReason === 'insufficient_balance' && !isAutomatic(refund)) await giveUpLater(tx, refund)
  return created
}

const isToBeSent = ({ pendingReason, holdId }: Refund) => pendingReason === null && holdId !== null

/** Returns the refunds for drafts. Nothing is held yet. */
async function buildRefunds(
  tx: Tx,
  { seals }: RefundParts,
  drafts: PricedDraft[],
): Promise<Scoped<Refund>[]> {
  const approvals = await checkApprovals(
    tx,
    'refund',
    sql`refunds`,
    drafts.map(({ request: { scope, userId, at, isProposal = false }, payment: { currency }, amount }) => ({
      ...{ scope, userId, at, isProposal },
      ...{ currency, amount },
    })),
  )
  const references = await newReferences(
    seals,
    drafts.map(({ request }) => request),
    (some) => selectReferencesOf(tx, sql`refunds`, some),
  )
  return drafts.map(({ request, payment, amount, net, method, connection, fees }, i) => {
    const { needsApproval, countsUnapproved } = isAutomatic(request)
      ? { needsApproval: false, countsUnapproved: false }
      : must(approvals[i], 'approval requirement')
    const { scope, bearer = 'merchant', reason, note, payerMessage, userId, metadata, at } = request
    return {
      ...newRow(at),
      scope,
      pendingReason: needsApproval ? 'approval' : null,
      paymentId: payment.id,
      orderNumber: payment.orderNumber,
      amount,
      net,
      reserved: amount,
      currency: payment.currency,
      fees,
      bearer,
      returnedFee: 0n,
      financialAccountId: payment.financialAccountId,
      method,
      destinationType: payment.channelType,
      providerId: payment.providerId,
      payerAccount: payment.payerAccount,
      cardScheme: payment.cardScheme,
      cardLast4: payment.cardLast4,
      original: { reference: payment.railReference, railTransaction: payment.railTransaction, connection },
      reason,
      note: note ?? null,
      payerMessage: payerMessage ?? null,
      railReference: must(references[i], 'rail reference'),
      holdId: null,
      createdBy: userId,
      ...newApproval(needsApproval),
      countsUnapproved,
      origin: originOf(payment),
      paymentMetadata: payment.metadata,
      metadata: metadata ?? {},
      completedAt: null,
    }
  })
}
