import type { MovedMoney } from '@pesewa/connector-kit'
import { minorDigits } from '@pesewa/values'

/** Reads an amount in major units: text of digits with at most one point, or a whole number. */
export function statedInMajorUnits(amount: unknown, currency: unknown): MovedMoney | undefined {
  const digits = digitsOf(currency)
  const text = Number.isSafeInteger(amount) ? String(amount) : amount
  if (typeof text !== 'string' || typeof currency !== 'string' || digits === undefined) return undefined
  const [, whole, fraction = ''] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? []
  const decimals = fraction.replace(/0+$/, '')
  if (whole === undefined || decimals.length > digits) return undefined
  return { amount: BigInt(whole + decimals.padEnd(digits, '0')), currency }
}

/** Reads an amount in minor units: a whole number that is not negative. */
export function statedInMinorUnits(amount: unknown, currency: unknown): MovedMoney | undefined {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined
  return typeof currency === 'string' && digitsOf(currency) !== undefined
    ? { amount: BigInt(amount), currency }
    : undefined
}

function digitsOf(currency: unknown): number | undefined {
  try {
    return minorDigits(String(currency))
  } catch {
    return undefined
  }
}
