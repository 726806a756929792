import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Payout, writePayouts } from './store.ts'

/**
 * Returns how much of a completed payout can still be recalled, in minor units: the part that is neither
 * recalled nor returned.
 */
export const recallable = ({ amount, recalled }: Payout): bigint => amount - recalled

/**
 * Adds an amount to the recalled total of a locked, completed payout; a negative amount will not be returned
 * after all. Returns the payout with its new total.
 */
export async function addRecalled(tx: Tx, payout: Scoped<Payout>, amount: bigint): Promise<Scoped<Payout>> {
  if (amount > recallable(payout)) throw new Refusal('recall_exceeds_payout')
  const counted = { ...payout, recalled: payout.recalled + amount }
  await writePayouts(tx, [counted])
  return counted
}
