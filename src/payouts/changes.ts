import { withdraw } from '../instructions/instructions.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { failPayouts } from './follower.ts'
import { lockPayout } from './payouts.ts'
import { writePayouts } from './store.ts'

export type PayoutChange = { metadata?: Metadata | null }

/** Changes the named fields only. */
export async function changePayout(tx: Tx, scope: Scope, id: string, change: PayoutChange, at: Date) {
  const payout = await lockPayout(tx, scope, id)
  const changed = {
    ...payout,
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await writePayouts(tx, [changed])
  return changed
}

/** Gives up a payout that the rail was not told of yet; repeated, the same. */
export async function cancelPayout(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const isWithdrawn = await withdraw(tx, scope, id)
  const payout = await lockPayout(tx, scope, id)
  if (payout.failureCode === 'cancelled') return
  if (!isWithdrawn || payout.status !== 'pending') throw new Refusal('state_conflict')
  await failPayouts(tx, [{ payout, failure: cancelled, at }])
}

const cancelled = { code: 'cancelled', message: 'The payout was cancelled before it was sent.' } as const
