import { type LedgerCase, selectCase, updateReturned } from '../../ledger/accounts/case-store.ts'
import { closeCase } from '../../ledger/accounts/cases.ts'
import { readNow } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Follower } from '../../rails/instructions/follower.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { lockPayout } from '../payouts/payouts.ts'
import { addRecalled } from '../payouts/recallable.ts'
import { saveEnded } from './recalls.ts'
import { lockOpenOf } from './store.ts'

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
    payout = await addRecalled(tx, payout, -recall.amount)
    await saveEnded(tx, { ...recall, scope, status: 'cancelled' as const, updatedAt: at })
  }
  return payout.recalled
}
