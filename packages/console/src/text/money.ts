import { currencies } from './currencies.ts'
import type { Language } from './texts.ts'

/** An amount in minor units. `value` is a bigint if it is outside the range of safe integers. */
export type Amount = { currency: string; value: number | bigint }

const fractionDigits = (currency: string) => currencies[currency]?.digits ?? 2

/** Formats an amount as payers see it, such as `Le 1,500.00` in English and `1 500,00 Le` in French. */
export function formatMoney({ currency, value }: Amount, language: Language): string {
  const digits = fractionDigits(currency)
  const text = digitsOfValue(value).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits)
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, language === 'fr' ? '\u00a0' : ',')
  const { symbol, frenchSymbol = symbol } = currencies[currency] ?? { symbol: currency }
  const sign = `${isExact(value) ? '' : '≈ '}${value < 0 ? '-' : ''}`
  if (language === 'fr') return `${sign}${grouped}${fraction && `,${fraction}`}\u00a0${frenchSymbol}`
  // `K1` and `GH₵1`, but `Le 1`: multi-letter symbols are followed by a space.
  const space = symbol.length === 1 || /\p{Sc}$/u.test(symbol) ? '' : ' '
  return `${sign}${symbol}${space}${grouped}${fraction && `.${fraction}`}`
}

/** Returns the symbol of a currency, such as `Le`, or its code if it has none. */
export const symbolOf = (currency: string) => currencies[currency]?.symbol ?? currency

/** Formats a rounded amount without its currency, such as `1.5K` in English and `1,5 k` in French. */
export const formatShort = ({ currency, value }: Amount, language: Language): string =>
  new Intl.NumberFormat(language, { notation: 'compact' }).format(
    Number(value) / 10 ** fractionDigits(currency),
  )

/**
 * Returns whether the value is exactly what the API sent. A number outside the safe integer range may have been
 * rounded when it was parsed.
 */
const isExact = (value: number | bigint) => typeof value === 'bigint' || Number.isSafeInteger(value)

/**
 * Returns all digits of the value, without its sign and without the exponent that `String` uses for large
 * numbers.
 */
const digitsOfValue = (value: number | bigint) => {
  const whole = BigInt(value)
  return String(whole < 0n ? -whole : whole)
}

/** The accepted ways to type an amount: `1,500.50`, `1.500,50`, `1500.50` and `1500,50`. */
const typedForms = [
  /^(?<whole>\d{1,3}(?:,\d{3})+)(?:\.(?<fraction>\d{1,2}))?$/,
  /^(?<whole>\d{1,3}(?:\.\d{3})+)(?:,(?<fraction>\d{1,2}))?$/,
  /^(?<whole>\d+)(?:[.,](?<fraction>\d{1,2}))?$/,
]

/**
 * Parses a typed amount, such as `1,500.5` or `1500,50`, into minor units. Returns `undefined` if it is not
 * valid in the currency.
 */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = fractionDigits(currency)
  const plain = text.trim().replace(/[\s\u00a0\u202f']/g, '')
  const { whole = '', fraction = '' } = typedForms.map((form) => form.exec(plain)).find(Boolean)?.groups ?? {}
  if (whole === '' || fraction.length > digits) return undefined
  const value = Number(whole.replace(/[.,]/g, '') + fraction.padEnd(digits, '0'))
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** Formats an amount for an input field, such as `1500.50`. */
export function moneyInputValue({ currency, value }: Amount): string {
  const digits = fractionDigits(currency)
  const text = String(value).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
