/** Returns the sum of stored fees, in minor units. */
export const sumOf = (fees: readonly { amount: string }[]): bigint =>
  fees.reduce((sum, fee) => sum + BigInt(fee.amount), 0n)

/** Returns the amount debited from the merchant's account: the amount for the payer plus the fees. */
export const debited = ({ net, fees }: { net: bigint; fees: { amount: string }[] }) => net + sumOf(fees)
