import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Payout, writePayouts } from './store.ts'

/**
 * Returns how much of a completed payout can be recalled, in minor units: the part that is not recalled and has
 * not come back.
 */
export const recallable = ({ amount, recalled }: Payout): bigint => amount - recalled

/**
 * Counts an amount of a locked, completed payout as recalled; a negative one, if it will not come back. Returns
 * the payout with its new count.
 */
export async function addRecalled(tx: Tx, payout: Scoped<Payout>, amount: bigint): Promise<Scoped<Payout>> {
  if (amount > recallable(payout)) throw new Refusal('recall_exceeds_payout')
  const counted = { ...payout, recalled: payout.recalled + amount }
  await writePayouts(tx, [counted])
  return counted
}
