import { must } from '@pesewa/values'
import { providerAccounts } from '../../ledger/accounts/accounts.ts'
import type { Capture, LedgerWork } from '../../ledger/accounts/holds.ts'
import { referenceTime } from '../../ledger/accounts/reference.ts'
import { type Reversal, selectLinesOf } from '../../ledger/accounts/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Completed, FollowedInstruction, Follower } from '../../rails/instructions/follower.ts'
import { completedBy } from '../../rails/instructions/transaction-rows.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import { sumFees } from '../fees/fees.ts'
import { returnedFee } from '../fees/rounding.ts'
import { afterLateRefund, afterRefund, changePayments } from '../payments/refundable.ts'
import { lockPayments, type Payment } from '../payments/store.ts'
import { findPolicies } from './policies.ts'
import { endRefunds, paymentOwners, refundRows } from './refunds.ts'
import { lockRefunds, markUnavailable, type Refund, sumReturnedFees, writeRefunds } from './store.ts'

const delayedAfterMs = 600_000 // limit: time until `refund.delayed`

/** Updates refunds as their instructions change state. */
export const refundFollower: Follower = {
  ...refundRows.follower,
  delayedAfterMs,
  async submitting(tx, moves) {
    const refunds = await refundRows.step(tx, moves, (refund, { at }) => ({
      ...refund,
      status: 'processing' as const,
      pendingReason: null,
      updatedAt: at,
    }))
    refundRows.save(tx, 'refund.processing', refunds)
  },
  async breakerOpened(tx, { environment, providerId }) {
    await markUnavailable(tx, environment, providerId)
  },
  async delayed(tx, delayed) {
    const refunds = await refundRows.step(tx, delayed, (refund, { at }) => ({ ...refund, updatedAt: at }))
    refundRows.save(tx, 'refund.delayed', refunds)
  },
  completed: completeRefunds,
  async failed(tx, failed) {
    const refunds = await refundRows.step(tx, failed, (refund, { failure, at }) => ({ refund, failure, at }))
    return endRefunds(tx, 'failed', refunds)
  },
  /**
   * Returns the owners of refunds' instructions, and locks the refunds and their payments. A refund's payment
   * must be locked before any account.
   */
  async owners(tx, instructions) {
    const refunds = byGlobalName(await lockRefunds(tx, instructions))
    const inOrder = instructions.map(({ scope, id }) =>
      must(refunds.get(globalName(scope, id)), 'refund of an instruction'),
    )
    await lockPayments(
      tx,
      inOrder.map(({ scope, paymentId: id }) => ({ scope, id })),
    )
    return inOrder.map((refund) => currentOwner('refund', refund))
  },
  async contradicted(tx, moves) {
    const hasFailed = ({ instruction }: FollowedInstruction) => instruction.state === 'failed'
    await countLateRefunds(tx, moves.filter(hasFailed))
    const returned = await refundRows.step(
      tx,
      moves.filter((move) => !hasFailed(move)),
      (refund, { at }) => ({ ...refund, updatedAt: at }),
    )
    refundRows.save(tx, 'refund.returned', returned)
  },
}

/** Updates the payments of refunds that were reported as failed but have reached the payer after all. */
async function countLateRefunds(tx: Tx, moves: FollowedInstruction[]): Promise<void> {
  const late = await refundRows.step(tx, moves, (refund, { at }) => ({ ...refund, updatedAt: at }))
  await changePayments(tx, late, (payment, refund) => {
    const late = afterLateRefund(payment, refund.amount, refund.updatedAt)
    refund.reserved = late.reserved
    return late.payment
  })
  writeRefunds(tx, late)
}

/** Books completed refunds: the payer's amount goes to the rail, and the fees go to the service. */
async function completeRefunds(tx: Tx, moves: Completed[]): Promise<LedgerWork> {
  const refunds = await refundRows.step(tx, moves, (refund, by) => ({
    ...refund,
    ...completedBy(by),
    completedAt: by.at,
  }))
  const payments = await countRefunded(tx, refunds)
  const accounts = await providerAccounts(
    tx,
    'disbursement',
    refunds.map((refund) => ({ ...refund, fees: refund.returnedFee > 0n ? ['payment'] : refund.fees })),
  )
  const reversals = await findReversals(tx, refunds, payments)
  refundRows.save(tx, 'refund.completed', refunds)
  const captures = refunds.map((refund, i) =>
    captureOf(refund, must(accounts[i], 'settlement accounts'), must(reversals[i], 'reversals')),
  )
  return { captures }
}

/**
 * Adds completed refunds to the totals of their payments and, if the Space's policy requires it, determines how
 * much of the payment's fee each refund returns. Returns the payments; the map's keys are their global names.
 */
async function countRefunded(tx: Tx, refunds: Scoped<Refund>[]): Promise<Map<string, Scoped<Payment>>> {
  const policies = await findPolicies(tx, refunds)
  const returning = new Set(refunds.filter((_, i) => policies[i]?.returnsPaymentFee))
  const returned = new Map<string, bigint>()
  return changePayments(
    tx,
    refunds,
    (payment, refund) => {
      const name = globalName(payment.scope, payment.id)
      const fee = sumFees(payment.fees)
      if (returning.has(refund) && fee > 0n) {
        const before = { refunded: payment.refunded, returned: returned.get(name) ?? 0n }
        refund.returnedFee = returnedFee({ amount: payment.amount, fee }, refund.amount, before)
        returned.set(name, before.returned + refund.returnedFee)
      }
      return afterRefund(payment, refund.amount, refund.updatedAt)
    },
    // This is read only once the payments are locked, because until then, another refund of the same payment
    // may complete.
    async () => {
      if (returning.size === 0) return
      for (const { scope, paymentId, sum } of await sumReturnedFees(tx, refunds))
        returned.set(globalName(scope, paymentId), sum)
    },
  )
}

/** The payment's ledger lines on the merchant's account, which a refund reverses. */
type Reversals = { amount?: Reversal; fee?: Reversal }

async function findReversals(
  tx: Tx,
  refunds: Scoped<Refund>[],
  payments: Map<string, Scoped<Payment>>,
): Promise<Reversals[]> {
  const references = refunds.map(({ scope, paymentId }) => {
    const { ledgerReference } = must(payments.get(globalName(scope, paymentId)), 'payment of a refund')
    return ledgerReference
  })
  // A failed payment has no ledger lines.
  const postings = [...new Set(references)].flatMap((reference) => {
    const { scope } = must(refunds[references.indexOf(reference)], 'refund')
    return reference ? [{ scope, reference, at: referenceTime(reference) }] : []
  })
  const byReference = Map.groupBy(await selectLinesOf(tx, postings), ({ reference }) => reference)
  return references.map((reference) => {
    const lines = byReference.get(reference ?? '') ?? []
    const reversalOf = (line: (typeof lines)[number] | undefined) =>
      line && { lineId: line.id, reference: line.reference }
    const amount = reversalOf(lines.find((line) => line.amount > 0n && line.feeCode === null))
    const fee = reversalOf(lines.find((line) => line.amount < 0n && line.feeCode !== null))
    return { ...(amount && { amount }), ...(fee && { fee }) }
  })
}

function captureOf(
  refund: Scoped<Refund> & { ledgerReference: string },
  { clearing, fees }: { clearing: string; fees: string | undefined },
  reverses: Reversals,
): Capture {
  const { scope, financialAccountId: merchant, returnedFee: back } = refund
  const feeAccount = () => must(fees, 'fee account')
  return {
    scope,
    id: must(refund.holdId, 'hold of a refund'),
    at: refund.updatedAt,
    reference: refund.ledgerReference,
    owners: [currentOwner('refund', refund), ...paymentOwners(refund)],
    credits: [
      { accountId: clearing, amount: refund.net, ...(reverses.amount && { reverses: reverses.amount }) },
      ...refund.fees.map(({ code, amount }) => ({
        accountId: feeAccount(),
        amount: BigInt(amount),
        feeCode: code,
      })),
    ],
    extraMovements:
      back === 0n
        ? []
        : [
            { accountId: feeAccount(), amount: -back, feeCode: 'payment' },
            {
              accountId: merchant,
              amount: back,
              feeCode: 'payment',
              ...(reverses.fee && { reverses: reverses.fee }),
            },
          ],
  }
}
