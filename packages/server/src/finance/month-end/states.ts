import type { ReconciledState } from '../reconciliation/reconciled.ts'

/** The states of a provider’s day, the least advanced first. A day of the month has the first that applies. */
const states = ['differs', 'awaited', 'matched', 'closed'] as const satisfies ReconciledState[]
/** `none`: there is nothing to reconcile. */
export const dayStates = [...states, 'none'] as const

/** Returns the least advanced of these states. */
export const leastAdvanced = (some: readonly ReconciledState[]) =>
  states.find((state) => some.includes(state))
