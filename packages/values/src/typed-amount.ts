import { fromMajorUnits, maxAmount } from './money.ts'

/**
 * Parses an amount that a payer has typed (`1500`, `15.50` or `15,50`) and returns it in minor units, or
 * `undefined` if it is not an amount.
 */
export function readAmount(typed: string, currency: string): bigint | undefined {
  try {
    const value = fromMajorUnits(typed.trim().replace(',', '.'), currency)
    return value > 0n && value <= BigInt(maxAmount) ? value : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
