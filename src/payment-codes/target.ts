import type { PaymentCode } from './store.ts'

type Paid = Pick<PaymentCode, 'mode' | 'expectedCount' | 'expectedTotal' | 'paidCount' | 'paidTotal'>

/** Whether a code has brought what it was made for: one payment, or its count or total, whichever comes first. */
export function isMet({ mode, expectedCount, expectedTotal, paidCount, paidTotal }: Paid): boolean {
  if (mode === 'one_time') return paidCount > 0
  return (
    (expectedCount !== null && paidCount >= expectedCount) ||
    (expectedTotal !== null && paidTotal >= expectedTotal)
  )
}

/** Whether it will have, if all that is in flight is paid: then there is no place for another payment. */
export const isReserved = (code: Paid, inFlight: { amount: bigint }[]): boolean =>
  isMet({
    ...code,
    paidCount: code.paidCount + inFlight.length,
    paidTotal: inFlight.reduce((total, { amount }) => total + amount, code.paidTotal),
  })
