import { fromMajorUnits, maxAmount } from './money.ts'

/**
 * Parses an amount typed by a payer into minor units: `1500`, `15.50` or `15,50`; `undefined` for anything
 * else.
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
