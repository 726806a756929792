import { countries } from './countries.ts'
import { isCurrency, minorDigits } from './currencies.ts'
import { currencyNotes } from './overlay.ts'

export { isCurrency, minorDigits }

// In code, an amount is a `bigint` in minor units: 1500n SLE is Le 15.00.

/** Largest amount in minor units: the largest integer that every JSON parser reads exactly. */
export const maxAmount = 9_007_199_254_740_991 // limit: largest amount in minor units

const supported = new Set(countries.flatMap((country) => country.supportedCurrencies))

/** Returns whether a supported country uses the currency, given as an upper-case ISO 4217 code. */
export const isSupportedCurrency = (code: string): boolean => supported.has(code)

/**
 * Formats an amount for people: `Le 150.00`, `GH₵150.00`, `CFA 1,500`; in French `150,00 Le`, `1 500 FCFA`.
 * `language` is a BCP 47 tag; any language other than French gets the English format.
 *
 * Uses ordinary spaces, the only ones in the handset alphabet. Pages prevent line breaks within an amount in
 * their style sheets.
 *
 * @param value in minor units, of any size, negative for a debit
 * @throws RangeError if the currency is not an ISO 4217 code
 */
export function formatMoney(
  { currency, value }: { currency: string; value: bigint },
  language = 'en',
): string {
  const { whole, fraction } = split(value < 0n ? -value : value, currency)
  const sign = value < 0n ? '-' : ''
  const symbol = symbolOf(currency, language)
  if (isFrench(language)) return `${sign}${grouped(whole, ' ')}${fraction && `,${fraction}`} ${symbol}`
  return `${sign}${symbol}${isAttachedSymbol(symbol) ? '' : ' '}${grouped(whole, ',')}${fraction && `.${fraction}`}`
}

/** Returns the symbol to show next to an amount. */
export function symbolOf(currency: string, language: string): string {
  const { symbol, frenchSymbol = symbol } = currencyNotes[currency] ?? { symbol: currency }
  return isFrench(language) ? frenchSymbol : symbol
}

const isFrench = (language: string) => /^fr(?![a-z])/i.test(language)

/**
 * Returns the decimal text that rails expect, with exactly the currency's decimals: `"150.00"` for SLE 15000,
 * `"1500"` for XOF 1500.
 *
 * @param value minor units, not negative
 * @throws RangeError if the value is negative or the currency is not an ISO 4217 code
 */
export function toMajorUnits(value: bigint, currency: string): string {
  if (value < 0n) throw new RangeError(`${value} is negative`)
  const { whole, fraction } = split(value, currency)
  return fraction ? `${whole}.${fraction}` : whole
}

/** Like {@link toMajorUnits}, for an amount from a response: of any size, and negative for a debit. */
export function decimalOf(shown: unknown, currency: string): string {
  // JSON.stringify also handles numbers beyond 2^53, which are kept as raw text.
  const exact = BigInt(JSON.stringify(shown))
  return `${exact < 0n ? '-' : ''}${toMajorUnits(exact < 0n ? -exact : exact, currency)}`
}

/**
 * Parses a rail's decimal text into minor units. Unlike {@link toMajorUnits}, accepts fewer decimals than the
 * currency has: `"1500"`, `"1500.0"` and `"1500.00"` are all SLE 150000.
 *
 * @throws RangeError for anything but plain digits with at most one point: signs, exponents, grouping, leading
 * zeros, or more decimals than the currency has, even if they are zeros
 */
export function fromMajorUnits(text: string, currency: string): bigint {
  const digits = minorDigits(currency)
  const [, whole, fraction = ''] =
    (text.length <= maxMajorUnitsLength && /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text)) || []
  if (whole === undefined || fraction.length > digits) {
    const shown = JSON.stringify(text.slice(0, maxMajorUnitsLength))
    throw new RangeError(`${shown} is not an amount in ${currency} with at most ${digits} decimals`)
  }
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

/** Longer than any valid amount, and short enough to make hostile text harmless. */
const maxMajorUnitsLength = 64 // length of an amount in decimal text from a rail

function split(value: bigint, currency: string): { whole: string; fraction: string } {
  const digits = minorDigits(currency)
  const text = value.toString().padStart(digits + 1, '0')
  return { whole: text.slice(0, text.length - digits), fraction: text.slice(text.length - digits) }
}

const grouped = (digits: string, separator: string) => digits.replace(/\B(?=(?:[0-9]{3})+$)/g, separator)

/** Symbols such as `₦1`, `GH₵1` and `K1` touch the number; words such as `Le 1` and `CFA 1` do not. */
const isAttachedSymbol = (symbol: string) => symbol.length === 1 || /\p{Sc}$/u.test(symbol)
