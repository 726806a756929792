import { countries } from './countries.ts'
import { isCurrency, minorDigits } from './currencies.ts'
import { currencyNotes } from './overlay.ts'

export { isCurrency, minorDigits }

// Inside the program an amount is a `bigint` of whole minor units: 1500n SLE is Le 15.00.

/** Of every amount, in minor units: the largest whole number that every JSON parser reads exactly. */
export const maxAmount = 9_007_199_254_740_991 // limit: an amount

const supported = new Set(countries.flatMap((country) => country.supportedCurrencies))

/** Whether some supported country is paid in it: exactly the upper-case ISO 4217 code. */
export const isSupportedCurrency = (code: string): boolean => supported.has(code)

/**
 * An amount as people write it: `Le 150.00`, `GH₵150.00`, `CFA 1,500`; in French `150,00 Le`, `1 500 FCFA`.
 * `language` is a BCP 47 tag; everything that is not French is written the English way.
 *
 * Spaces are ordinary ones, because a handset's alphabet has no others; a page that must not break the amount
 * over two lines says so in its style sheet.
 *
 * @param value in minor units, of any size, negative for a debit
 * @throws RangeError when the currency is not an ISO 4217 code
 */
export function formatMoney(
  { currency, value }: { currency: string; value: bigint },
  language = 'en',
): string {
  const { whole, fraction } = split(value < 0n ? -value : value, currency)
  const sign = value < 0n ? '-' : ''
  const symbol = symbolOf(currency, language)
  if (isFrench(language)) return `${sign}${grouped(whole, ' ')}${fraction && `,${fraction}`} ${symbol}`
  return `${sign}${symbol}${touches(symbol) ? '' : ' '}${grouped(whole, ',')}${fraction && `.${fraction}`}`
}

/** What stands for a currency beside an amount of it. */
export function symbolOf(currency: string, language: string): string {
  const { symbol, frenchSymbol = symbol } = currencyNotes[currency] ?? { symbol: currency }
  return isFrench(language) ? frenchSymbol : symbol
}

const isFrench = (language: string) => /^fr(?![a-z])/i.test(language)

/**
 * The decimal text that rails take, with exactly the currency's digits: `"150.00"` for SLE 15000, `"1500"` for
 * XOF 1500.
 *
 * @param value minor units, not negative
 * @throws RangeError when the value is negative or the currency is not an ISO 4217 code
 */
export function toMajorUnits(value: bigint, currency: string): string {
  if (value < 0n) throw new RangeError(`${value} is negative`)
  const { whole, fraction } = split(value, currency)
  return fraction ? `${whole}.${fraction}` : whole
}

/** The same of an amount as a response shows it, of any size and negative for a debit. */
export function decimalOf(shown: unknown, currency: string): string {
  // As JSON: a number that no double holds is its own text.
  const exact = BigInt(JSON.stringify(shown))
  return `${exact < 0n ? '-' : ''}${toMajorUnits(exact < 0n ? -exact : exact, currency)}`
}

/**
 * Minor units from a rail's decimal text; the reverse of {@link toMajorUnits}, which also takes fewer decimals
 * than the currency has: `"1500"`, `"1500.0"` and `"1500.00"` are all SLE 150000.
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
    throw new RangeError(`${shown} is not an amount of ${currency} with at most ${digits} decimals`)
  }
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

/** Longer than any amount there is, and short enough that a hostile text costs nothing. */
const maxMajorUnitsLength = 64 // limit: a rail’s decimal text of an amount

function split(value: bigint, currency: string): { whole: string; fraction: string } {
  const digits = minorDigits(currency)
  const text = value.toString().padStart(digits + 1, '0')
  return { whole: text.slice(0, text.length - digits), fraction: text.slice(text.length - digits) }
}

const grouped = (digits: string, separator: string) => digits.replace(/\B(?=(?:[0-9]{3})+$)/g, separator)

/** `₦1`, `GH₵1` and `K1`, but `Le 1` and `CFA 1`: words stand apart. */
const touches = (symbol: string) => symbol.length === 1 || /\p{Sc}$/u.test(symbol)
