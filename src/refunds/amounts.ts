/** The sum of fees as rows have them, in minor units. */
export const sumOf = (fees: readonly { amount: string }[]): bigint =>
  fees.reduce((sum, fee) => sum + BigInt(fee.amount), 0n)

/** What leaves the merchant's account: what reaches the payer, and the fee. */
export const debited = ({ net, fees }: { net: bigint; fees: { amount: string }[] }) => net + sumOf(fees)

/**
 * The part of a payment's own fee that goes back with a refund: in proportion, rounded down, and with the last refund all
 * that is left of it, so that the parts of a payment that is returned whole are the whole fee.
 *
 * @param before what completed refunds of the payment come to, without this one, and what they returned of its fee
 */
export function returnedFee(
  payment: { amount: bigint; fee: bigint },
  amount: bigint,
  before: { refunded: bigint; returned: bigint },
): bigint {
  if (before.refunded + amount === payment.amount) return payment.fee - before.returned
  return (payment.fee * amount) / payment.amount
}
