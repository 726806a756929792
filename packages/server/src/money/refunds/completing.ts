import { must } from '@pesewa/values'
import { providerAccounts } from '../../ledger/accounts/accounts.ts'
import type { Capture, LedgerWork } from '../../ledger/accounts/holds.ts'
import { referenceTime } from '../../ledger/accounts/reference.ts'
import { type Reversal, selectLinesOf } from '../../ledger/accounts/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Completed } from '../../rails/instructions/follower.ts'
import { completedBy } from '../../rails/instructions/transaction-rows.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import { returnedFee } from '../fees/rounding.ts'
import { afterRefund, changePayments } from '../payments/refundable.ts'
import type { Payment } from '../payments/store.ts'
import { sumOf } from './amounts.ts'
import { findPolicies } from './policies.ts'
import { paymentOwners, refundRows } from './refunds.ts'
import { type Refund, sumReturnedFees } from './store.ts'

/** Books completed refunds: the payer's amount goes to the rail, and the fees go to the service. */
export async function completeRefunds(tx: Tx, moves: Completed[]): Promise<LedgerWork> {
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
  await refundRows.save(tx, 'refund.completed', refunds)
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
      const fee = sumOf(payment.fees)
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
