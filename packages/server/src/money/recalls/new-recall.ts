import { must } from '@pesewa/values'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { newId, readId } from '../../platform/ids.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { lockPayout } from '../payouts/payouts.ts'
import { addRecalled, recallable } from '../payouts/recallable.ts'
import { payoutIds } from '../payouts/resources.ts'
import { type Payout, selectPayout } from '../payouts/store.ts'
import { publishRecall, refuseUnrecallable } from './recalls.ts'
import { insertRecall, type Recall, type RecallReason } from './store.ts'

/** A recall as requested, with ids in their public form. */
type NewRecall = {
  payoutId: string
  /** By default, everything that can still be recalled. */
  amount?: { currency: string; value: number } | undefined
  reason: RecallReason
  note?: string | undefined
  metadata?: Metadata | undefined
}

/** The well-formed parts of a request that is to be validated. */
type UnvalidatedRecall = WellFormed<Pick<NewRecall, 'payoutId' | 'amount'>>

/**
 * Opens a recall for all or part of a completed payout. Nothing is booked until money is returned.
 *
 * @throws Refusal `arguments_invalid`; `state_conflict` if the payout is not completed or, according to its
 * provider, was never sent; `recall_exceeds_payout`
 */
export async function createRecall(
  tx: Tx,
  scope: Scope,
  request: NewRecall,
  userId: string,
  at: Date,
): Promise<Recall> {
  const issues = new Issues()
  const found = await validateRecall(tx, scope, request, issues)
  issues.refuse()
  const payout = await lockPayout(tx, scope, must(found, 'payout of a recall').id)
  await refuseUnrecallable(tx, payout)
  const amount = request.amount ? BigInt(request.amount.value) : recallable(payout)
  if (amount === 0n) throw new Refusal('recall_exceeds_payout')
  addRecalled(tx, payout, amount)
  const recall: Scoped<Recall> = {
    ...{ scope, id: newId(at), status: 'open', payoutId: payout.id, amount, returned: 0n },
    currency: payout.currency,
    providerId: payout.providerId,
    financialAccountId: payout.financialAccountId,
    ...{ reason: request.reason, note: request.note ?? null, railTransaction: null, ledgerReference: null },
    ...{ createdBy: userId, metadata: request.metadata ?? {}, payoutMetadata: payout.metadata },
    ...{ createdAt: at, updatedAt: at },
  }
  await insertRecall(tx, recall)
  publishRecall(tx, recall)
  return recall
}

/**
 * Adds an issue for each error in the well-formed parts of a request, and returns the payout, or `undefined` if
 * it does not exist.
 */
export async function validateRecall(
  db: Reader,
  scope: Scope,
  { payoutId, amount }: UnvalidatedRecall,
  issues: Issues,
): Promise<Payout | undefined> {
  if (payoutId === undefined) return
  const id = readId(payoutIds, payoutId)
  const payout = id === undefined ? undefined : await selectPayout(db, scope, id)
  if (!payout) issues.add('payoutId', 'does not name a payout in this Space and environment')
  else if (amount?.currency !== undefined && amount.currency !== payout.currency)
    issues.add('amount.currency', `must be ${payout.currency}, the currency of the payout`)
  return payout
}
