import { countries } from './countries.ts'
import { isCurrency, minorDigits } from './currencies.ts'
import { currencyNotes } from './overlay.ts'

export { isCurrency, minorDigits }

// In code, an amount is a `bigint` in minor units. For example, 1500n SLE is Le 15.00.

/** The largest amount in minor units. It is the largest integer that every JSON parser reads exactly. */
export const maxAmount = 9_007_199_254_740_991 // limit: largest amount in minor units

const supported = new Set(countries.flatMap((country) => country.supportedCurrencies))

/** Returns whether a currency, given as an upper-case ISO 4217 code, is used in a supported country. */
export const isSupportedCurrency = (code: string): boolean => supported.has(code)

/**
 * Formats an amount for people: `Le 150.00`, `GH₵150.00`, `CFA 1,500`; in French `150,00 Le`, `1 500 FCFA`.
 * `language` is a BCP 47 tag. All languages except French use the English format.
 *
 * The result contains only ordinary spaces, because the handset alphabet has no others. Style sheets prevent
 * line breaks within an amount on pages.
 *
 * @param value in minor units, of any size, and negative for a debit
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

/** Returns the symbol that is shown next to an amount. */
export function symbolOf(currency: string, language: string): string {
  const { symbol, frenchSymbol = symbol } = currencyNotes[currency] ?? { symbol: currency }
  return isFrench(language) ? frenchSymbol : symbol
}

const isFrench = (language: string) => /^fr(?![a-z])/i.test(language)

/**
 * Returns the decimal text that rails expect, which has exactly as many decimals as the currency: `"150.00"`
 * for SLE 15000, `"1500"` for XOF 1500.
 *
 * @param value in minor units, not negative
 * @throws RangeError if the value is negative or the currency is not an ISO 4217 code
 */
export function toMajorUnits(value: bigint, currency: string): string {
  if (value < 0n) throw new RangeError(`${value} is negative`)
  const { whole, fraction } = split(value, currency)
  return fraction ? `${whole}.${fraction}` : whole
}

/**
 * Like {@link toMajorUnits}, but for an amount from a response, which may be of any size and is negative for a
 * debit.
 */
export function decimalOf(shown: unknown, currency: string): string {
  // Numbers beyond 2^53 are stored as raw JSON text, which JSON.stringify writes exactly.
  const exact = typeof shown === 'bigint' ? shown : BigInt(JSON.stringify(shown))
  return `${exact < 0n ? '-' : ''}${toMajorUnits(exact < 0n ? -exact : exact, currency)}`
}

/**
 * Parses decimal text from a rail and returns minor units. Unlike {@link toMajorUnits}, it accepts fewer
 * decimals than the currency has: `"1500"`, `"1500.0"` and `"1500.00"` are all SLE 150000.
 *
 * @throws RangeError for anything but digits with at most one decimal point: signs, exponents, grouping,
 * leading zeros, or more decimals than the currency has, even if they are zeros
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

/** Longer than any valid amount, but short enough to make malicious text harmless. */
const maxMajorUnitsLength = 64 // length of an amount in decimal text from a rail

function split(value: bigint, currency: string): { whole: string; fraction: string } {
  const digits = minorDigits(currency)
  const text = value.toString().padStart(digits + 1, '0')
  return { whole: text.slice(0, text.length - digits), fraction: text.slice(text.length - digits) }
}

const grouped = (digits: string, separator: string) => digits.replace(/\B(?=(?:[0-9]{3})+$)/g, separator)

/**
 * Returns whether a symbol is written without a space before the number. Symbols such as `₦`, `GH₵` and `K`
 * are, but words such as `Le` and `CFA` are not.
 */
const isAttachedSymbol = (symbol: string) => symbol.length === 1 || /\p{Sc}$/u.test(symbol)
