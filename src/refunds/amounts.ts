/** Sums stored fees, in minor units. */
export const sumOf = (fees: readonly { amount: string }[]): bigint =>
  fees.reduce((sum, fee) => sum + BigInt(fee.amount), 0n)

/** Returns the debit to the merchant's account: the amount for the payer plus the fee. */
export const debited = ({ net, fees }: { net: bigint; fees: { amount: string }[] }) => net + sumOf(fees)

/**
 * Returns how much of a payment's fee a refund returns: its proportional share, rounded down. The refund that
 * completes the payment's amount returns the rest, so that a full refund returns the whole fee.
 *
 * @param before totals of the payment's earlier completed refunds, and the fee they returned
 */
export function returnedFee(
  payment: { amount: bigint; fee: bigint },
  amount: bigint,
  before: { refunded: bigint; returned: bigint },
): bigint {
  if (before.refunded + amount === payment.amount) return payment.fee - before.returned
  return (payment.fee * amount) / payment.amount
}
