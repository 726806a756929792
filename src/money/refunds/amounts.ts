/** Returns the sum of stored fees, in minor units. */
export const sumOf = (fees: readonly { amount: string }[]): bigint =>
  fees.reduce((sum, fee) => sum + BigInt(fee.amount), 0n)

/** Returns the amount debited from the merchant's account: the amount for the payer plus the fees. */
export const debited = ({ net, fees }: { net: bigint; fees: { amount: string }[] }) => net + sumOf(fees)

/**
 * Returns the part of a payment's fee that a refund returns: its proportional share, rounded down. The last
 * refund, after which the full amount of the payment has been refunded, returns the rest of the fee.
 *
 * @param before total amount of the payment's earlier completed refunds, and the fee that they returned
 */
export function returnedFee(
  payment: { amount: bigint; fee: bigint },
  amount: bigint,
  before: { refunded: bigint; returned: bigint },
): bigint {
  if (before.refunded + amount === payment.amount) return payment.fee - before.returned
  return (payment.fee * amount) / payment.amount
}
