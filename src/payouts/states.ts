import type { Payout, PayoutStatus, RailState } from './store.ts'

/** How far a payout can go from where it is. What is not in here does not happen. */
const next: Readonly<Record<RailState, readonly RailState[]>> = {
  awaiting_approval: ['queued', 'failed'],
  queued: ['submitting', 'failed'],
  submitting: ['submitted', 'unknown', 'succeeded', 'failed'],
  submitted: ['succeeded', 'failed'],
  unknown: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

/** What the API says of it. Until the first message to the rail it can be cancelled. */
const statuses: Readonly<Record<RailState, PayoutStatus>> = {
  awaiting_approval: 'pending',
  queued: 'pending',
  submitting: 'processing',
  submitted: 'processing',
  unknown: 'processing',
  succeeded: 'completed',
  failed: 'failed',
}

export const statusOf = (railState: RailState) => statuses[railState]

/** The payout as it is after a step, or `undefined` where it cannot take that step. */
export function moved(payout: Payout, railState: RailState, at: Date): Payout | undefined {
  if (!next[payout.railState].includes(railState)) return undefined
  return { ...payout, railState, status: statuses[railState], updatedAt: at }
}
