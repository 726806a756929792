// How fees are rounded to minor units. A fee is rounded half to even, so that over many payments neither the
// merchant nor the operator gains from rounding. A returned share is rounded down, and the last refund returns
// the rest, so that the refunds of a payment return exactly its fee.

const million = 1_000_000n

/**
 * Returns the fee on an amount, both in minor units, for a rate in parts per million. It is rounded half to even
 * and never exceeds the amount. For example, 1 % of 30 000 is 300; 1 % of 50 is 0 (half to even); 1 % of 150 is
 * 2.
 */
export function feeOn(amount: bigint, { ppm, minimum }: { ppm: number; minimum: bigint }): bigint {
  const exact = amount * BigInt(ppm)
  const whole = exact / million
  const twice = (exact % million) * 2n
  const rounded = twice > million || (twice === million && whole % 2n === 1n) ? whole + 1n : whole
  const fee = rounded < minimum ? minimum : rounded
  return fee > amount ? amount : fee
}

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
