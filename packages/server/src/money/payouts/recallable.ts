import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type Payout, writePayouts } from './store.ts'

/**
 * Returns the amount of a completed payout that can still be recalled, in minor units. Amounts that are being
 * recalled or have been returned are excluded.
 */
export const recallable = ({ amount, recalled }: Payout): bigint => amount - recalled

/**
 * Adds an amount to the recalled total of a locked, completed payout, and returns the payout with its new
 * total. A negative amount reduces the total when a recalled amount will not be returned after all.
 */
export function addRecalled(tx: Tx, payout: Scoped<Payout>, amount: bigint): Scoped<Payout> {
  if (amount > recallable(payout)) throw new Refusal('recall_exceeds_payout')
  const counted = { ...payout, recalled: payout.recalled + amount }
  writePayouts(tx, [counted])
  return counted
}
