import { wholeNumber } from '@pesewa/values'
import { publish } from '../../events/events.ts'
import {
  type LedgerCase,
  selectCase,
  selectContradicted,
  updateReturned,
} from '../../ledger/accounts/case-store.ts'
import { closeCase } from '../../ledger/accounts/cases.ts'
import { referenceTime } from '../../ledger/accounts/reference.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { readNow } from '../../platform/clock.ts'
import { selectArchivedUntil } from '../../platform/db/archived-months.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Follower } from '../../rails/instructions/follower.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { currentOwner, type OwnerRef, presentOwned } from '../../tenants/spaces/ownership.ts'
import { lockPayout } from '../payouts/payouts.ts'
import { addRecalled } from '../payouts/recallable.ts'
import { payoutIds } from '../payouts/resources.ts'
import type { Payout } from '../payouts/store.ts'
import { recallIds } from './resources.ts'
import { lockOpenOf, lockRecall, type Recall, selectPayoutOf, updateRecall } from './store.ts'

/**
 * Refuses the recall of a payout that is not completed. Also refuses it if the provider has reported that the
 * payout was never sent, because a case then holds the money. The payout must be locked.
 */
export async function refuseUnrecallable(tx: Tx, payout: Scoped<Payout>): Promise<void> {
  if (payout.status !== 'completed')
    throw new Refusal('state_conflict', { message: 'Only a completed payout can be recalled.' })
  const archivedUntil = await selectArchivedUntil(tx)
  if (archivedUntil && referenceTime(`${payout.ledgerReference}`) < archivedUntil)
    throw new Refusal('state_conflict', {
      message: 'The bookings of this payout were archived. It can no longer be recalled.',
    })
  if ((await selectContradicted(tx, 'payout', [payout])).length > 0)
    throw new Refusal('state_conflict', {
      message: 'The provider reports that this payout was never paid. The operator will resolve the case.',
    })
}

/**
 * Ends a recall without a return, so that its amount can be recalled again. Repeating the call with the same
 * status has no effect.
 */
export async function endRecall(
  tx: Tx,
  scope: Scope,
  id: string,
  status: 'refused' | 'cancelled',
  at: Date,
): Promise<Scoped<Recall>> {
  const { recall, payout } = await lockOpen(tx, scope, id, (ended) => ended.status === status)
  if (recall.status !== 'open') return recall
  addRecalled(tx, payout, -recall.amount)
  return saveEnded(tx, { ...recall, status, updatedAt: at })
}

/**
 * Locks a recall and its payout. The recall must be open or have already ended in the requested way. The payout
 * is locked first, because all recalls and cases of a payout wait for its lock.
 *
 * @throws Refusal `not_found`, `state_conflict`
 */
export async function lockOpen(
  tx: Tx,
  scope: Scope,
  id: string,
  isSame: (ended: Recall) => boolean,
): Promise<{ recall: Scoped<Recall>; payout: Scoped<Payout> }> {
  const payoutId = existing(await selectPayoutOf(tx, scope, id))
  const payout = await lockPayout(tx, scope, payoutId)
  const recall = await lockRecall(tx, scope, id)
  if (recall.status !== 'open' && !isSame(recall))
    throw new Refusal('state_conflict', { message: `This recall is already ${recall.status}.` })
  return { recall: { ...recall, scope }, payout }
}

/** Writes a locked recall that has ended, and publishes its event. */
export async function saveEnded<Ended extends Scoped<Recall>>(tx: Tx, recall: Ended): Promise<Ended> {
  await updateRecall(tx, recall)
  publishRecall(tx, recall)
  return recall
}

export const publishRecall = (tx: Tx, recall: Scoped<Recall>) =>
  publish(tx, recall.scope, {
    types: [`recall.${recall.status === 'open' ? 'created' : recall.status}`],
    objectId: recall.id,
    data: presentRecall(recall.scope, recall),
    at: recall.updatedAt,
  })

/** Returns the payout as the owner of a recall. The next owner in the chain is the Space. */
export const payoutOwner = ({ payoutId, payoutMetadata }: Recall): OwnerRef =>
  currentOwner('payout', { id: payoutId, metadata: payoutMetadata })

/** Returns the recall as an API resource. */
export function presentRecall({ spaceId }: Scope, recall: Recall) {
  const money = (value: bigint) => ({ currency: recall.currency, value: wholeNumber(value) })
  return {
    id: showId(recallIds, recall.id),
    status: recall.status,
    payoutId: showId(payoutIds, recall.payoutId),
    amount: money(recall.amount),
    returned: money(recall.returned),
    reason: recall.reason,
    note: recall.note,
    source: { providerId: recall.providerId, transactionReference: recall.railTransaction },
    destination: {
      financialAccountId: showId(accountIds, recall.financialAccountId),
      transactionReference: recall.ledgerReference,
    },
    ...presentOwned(spaceId, recall, [payoutOwner(recall)]),
  }
}

// An operator may have marked a payout as completed although, according to its provider, it was never sent.
// Money that recalls have already returned then stays where it is, the case holds the rest of the amount, and
// no more can be recalled.

/**
 * Ends the open recalls of payouts for which a case is opened, and records the amount that earlier recalls have
 * returned.
 */
export const endContradictedRecalls: NonNullable<Follower['contradicted']> = async (tx, contradicted) => {
  for (const { instruction, at } of contradicted) {
    const { scope, id, state } = instruction
    if (state !== 'succeeded') continue
    await updateReturned(tx, scope, { type: 'payout', id }, await endRecalls(tx, scope, id, at))
  }
}

/** Closes a case of any kind. For a payout's case, only the amount that recalls have not returned is moved. */
export async function decideCase(
  tx: Tx,
  id: string,
  decider: Decider,
  accountId: string | undefined,
): Promise<LedgerCase> {
  const found = await selectCase(tx, id)
  const returned =
    found?.kind === 'failure_after_success' && found.objectType === 'payout'
      ? await endRecalls(tx, found, found.objectId, await readNow(tx, found))
      : 0n
  return closeCase(tx, id, decider, { accountId, returned })
}

/** Locks the payout, ends its open recalls, and returns the amount that other recalls have returned. */
async function endRecalls(
  tx: Tx,
  { spaceId, environment }: Scope,
  payoutId: string,
  at: Date,
): Promise<bigint> {
  const scope = { spaceId, environment }
  let payout = await lockPayout(tx, scope, payoutId)
  for (const recall of await lockOpenOf(tx, scope, payoutId)) {
    payout = addRecalled(tx, payout, -recall.amount)
    await saveEnded(tx, { ...recall, scope, status: 'cancelled' as const, updatedAt: at })
  }
  return payout.recalled
}
