/** A fee rule: parts per million of the amount, but at least `minimum` minor units. */
export type FeeRule = { ppm: number; minimum: bigint }

const million = 1_000_000n

/**
 * The fee on an amount, in whole minor units, half to even, never more than the amount itself.
 * 30 000 at 1 % is 300; 50 at 1 % is 0 (half to even); 150 at 1 % is 2.
 */
export function feeOn(amount: bigint, { ppm, minimum }: FeeRule): bigint {
  const exact = amount * BigInt(ppm)
  const whole = exact / million
  const twice = (exact % million) * 2n
  const rounded = twice > million || (twice === million && whole % 2n === 1n) ? whole + 1n : whole
  const fee = rounded < minimum ? minimum : rounded
  return fee > amount ? amount : fee
}
