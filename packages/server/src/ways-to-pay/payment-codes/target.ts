import type { PaymentCode } from './store.ts'

type Paid = Pick<PaymentCode, 'mode' | 'expectedCount' | 'expectedTotal' | 'paidCount' | 'paidTotal'>

/**
 * Returns whether a code has met its target. A one-time code needs one payment; a recurrent code needs its
 * count or its total, whichever is reached first.
 */
export function isTargetMet({ mode, expectedCount, expectedTotal, paidCount, paidTotal }: Paid): boolean {
  if (mode === 'one_time') return paidCount > 0
  return (
    (expectedCount !== null && paidCount >= expectedCount) ||
    (expectedTotal !== null && paidTotal >= expectedTotal)
  )
}

/**
 * Returns whether the target will be met if every payment in flight completes, in which case no other payment
 * may start.
 */
export const isTargetReserved = (code: Paid, inFlight: { amount: bigint }[]): boolean =>
  isTargetMet({
    ...code,
    paidCount: code.paidCount + inFlight.length,
    paidTotal: inFlight.reduce((total, { amount }) => total + amount, code.paidTotal),
  })
