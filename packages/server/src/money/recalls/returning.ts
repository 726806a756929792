import { must, only } from '@pesewa/values'
import { providerAccounts } from '../../ledger/accounts/accounts.ts'
import { post } from '../../ledger/accounts/postings.ts'
import { newReference, referenceTime } from '../../ledger/accounts/reference.ts'
import { type Reversal, selectLinesOf } from '../../ledger/accounts/store.ts'
import { readNow } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { argumentRefusal, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import { addRecalled } from '../payouts/recallable.ts'
import type { Payout } from '../payouts/store.ts'
import { endRecall, lockOpen, payoutOwner, refuseUnrecallable, saveEnded } from './recalls.ts'
import { recallIds } from './resources.ts'
import { type ListedRecall, type Recall, selectForOperator, selectScope } from './store.ts'

// The operator's part in recalls. Only the operator can report that money was returned, because the return
// happens outside Pesewa.

/** A return, as reported by the provider or found on its statement. */
export type Returned = {
  /** Amount in minor units. By default, the recalled amount. */
  amount?: { currency: string; value: bigint } | undefined
  transaction: string
}

const maxTransactionLength = 100 // maximum length of the provider's transaction ID for a return

/**
 * Posts returned money from the provider's clearing account to the account that the payout was made from, under
 * one reference. This ends the recall; any remainder can be recalled again. Repeating the call with the same
 * transaction and amount has no effect.
 *
 * @throws Refusal `not_found`, `state_conflict`, `arguments_invalid`; `reference_in_use` if the transaction has
 * already been booked
 */
export async function returnRecall(
  tx: Tx,
  id: string,
  returned: Returned,
  decider: Decider,
): Promise<Scoped<Recall>> {
  const scope = await scopeOf(tx, id)
  const transaction = readTransaction(returned.transaction)
  const isSame = (ended: Recall) =>
    ended.status === 'returned' &&
    ended.railTransaction === transaction &&
    ended.returned === (returned.amount?.value ?? ended.amount)
  const { recall, payout } = await lockOpen(tx, scope, id, isSame)
  if (recall.status !== 'open') return recall
  const amount = readAmount(recall, returned)
  const at = await readNow(tx, scope)
  await refuseUnrecallable(tx, payout)
  if (amount < recall.amount) addRecalled(tx, payout, amount - recall.amount)
  const booked = {
    ...recall,
    ...{ status: 'returned' as const, returned: amount, railTransaction: transaction },
    ...{ ledgerReference: newReference(at), updatedAt: at },
  }
  await saveEnded(tx, booked).catch(refuseBookedTwice)
  await writeAuditEntry(tx, scope, decider, {
    ...{ action: 'recall.return', objectType: 'recall', objectId: id },
    details: { transaction, amount: String(amount), reference: booked.ledgerReference },
  })
  // This is done last, since other transactions wait for these accounts until the commit.
  await bookReturned(tx, booked, payout)
  return booked
}

function readTransaction(text: string): string {
  const transaction = text.trim()
  if (/^[\x20-\x7e]+$/.test(transaction) && transaction.length <= maxTransactionLength) return transaction
  throw argumentRefusal('transaction', `must be 1 to ${maxTransactionLength} printable ASCII characters`)
}

function readAmount(recall: Recall, { amount }: Returned): bigint {
  if (!amount) return recall.amount
  const issues = new Issues()
  if (amount.currency !== recall.currency) issues.add('amount', `must be in ${recall.currency}`)
  else if (amount.value <= 0n || amount.value > recall.amount)
    issues.add('amount', `must be between 1 and ${recall.amount}, the recalled amount`)
  issues.refuse()
  return amount.value
}

function refuseBookedTwice(error: unknown): never {
  if (violatedConstraint(error) !== 'recalls_rail_transaction') throw error
  throw new Refusal('reference_in_use', {
    message: 'This provider transaction has already been recorded for another recall.',
  })
}

async function bookReturned(
  tx: Tx,
  recall: Scoped<Recall> & { ledgerReference: string },
  payout: Payout,
): Promise<void> {
  const { scope, returned, financialAccountId, updatedAt: at } = recall
  const { clearing } = only(await providerAccounts(tx, 'disbursement', [{ ...recall, fees: [] }]))
  await post(tx, scope, {
    reference: recall.ledgerReference,
    at,
    owners: [currentOwner('recall', recall), payoutOwner(recall)],
    movements: [
      { accountId: clearing, amount: -returned },
      {
        accountId: financialAccountId,
        amount: returned,
        reverses: await findReversal(tx, scope, payout),
      },
    ],
  })
}

/**
 * Returns the ledger line by which the payout was debited from the merchant's account. The return reverses this
 * line.
 */
async function findReversal(db: Reader, scope: Scope, { ledgerReference }: Payout): Promise<Reversal> {
  const reference = must(ledgerReference, 'reference of a completed payout')
  const lines = await selectLinesOf(db, [{ scope, reference, at: referenceTime(reference) }])
  const left = lines.find(({ amount, feeCode }) => amount < 0n && feeCode === null)
  return { lineId: must(left, 'line of a payout').id, reference }
}

/**
 * Ends a recall as refused, because the provider or the payee will return nothing. Repeating the call has no
 * effect.
 */
export async function refuseRecall(tx: Tx, id: string, decider: Decider): Promise<Scoped<Recall>> {
  const scope = await scopeOf(tx, id)
  const { recall } = await lockOpen(tx, scope, id, ({ status }) => status === 'refused')
  if (recall.status !== 'open') return recall
  const refused = await endRecall(tx, scope, id, 'refused', await readNow(tx, scope))
  await writeAuditEntry(tx, scope, decider, {
    ...{ action: 'recall.refuse', objectType: 'recall', objectId: id },
    details: {},
  })
  return refused
}

async function scopeOf(tx: Tx, id: string): Promise<Scope> {
  const scope = await selectScope(tx, id)
  if (!scope) throw new Refusal('not_found', { message: `There is no recall ${showId(recallIds, id)}.` })
  return scope
}

const maxListed = 1_000 // maximum number of recalls listed for the operator

/**
 * Returns the recalls of all Spaces and environments, oldest first, at most a thousand. Unless `isAll` is set,
 * only open ones are returned.
 */
export const listRecalls = (db: Reader, isAll: boolean): Promise<ListedRecall[]> =>
  selectForOperator(db, !isAll, maxListed)
