import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Payout, writePayouts } from './store.ts'

/** What of a completed payout can be recalled, in minor units: what is neither asked back already, nor came back. */
export const recallable = ({ amount, recalled }: Payout): bigint => amount - recalled

/**
 * Counts an amount against a completed payout that is locked; a negative one, that it will not come back. Returns the payout
 * as it is then.
 *
 * @throws Refusal `recall_exceeds_payout`
 */
export async function countRecalled(tx: Tx, payout: Scoped<Payout>, amount: bigint): Promise<Scoped<Payout>> {
  if (amount > recallable(payout)) throw new Refusal('recall_exceeds_payout')
  const counted = { ...payout, recalled: payout.recalled + amount }
  await writePayouts(tx, [counted])
  return counted
}
