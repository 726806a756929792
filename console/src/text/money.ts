import { currencies } from './currencies.ts'
import type { Language } from './texts.ts'

/** In minor units. A sum that no double holds is a bigint. */
export type Amount = { currency: string; value: number | bigint }

const digitsOf = (currency: string) => currencies[currency]?.digits ?? 2

/** `Le 1,500.00`, in French `1 500,00 Le`: as payers see it. */
export function formatMoney({ currency, value }: Amount, language: Language): string {
  const digits = digitsOf(currency)
  const text = digitsOfValue(value).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const fraction = text.slice(text.length - digits)
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, language === 'fr' ? ' ' : ',')
  const { symbol, frenchSymbol = symbol } = currencies[currency] ?? { symbol: currency }
  const sign = `${isExact(value) ? '' : '≈ '}${value < 0 ? '-' : ''}`
  if (language === 'fr') return `${sign}${grouped}${fraction && `,${fraction}`} ${frenchSymbol}`
  // `K1` and `GH₵1`, but `Le 1`: words stand apart.
  const space = symbol.length === 1 || /\p{Sc}$/u.test(symbol) ? '' : ' '
  return `${sign}${symbol}${space}${grouped}${fraction && `.${fraction}`}`
}

/** `1.5K`, in French `1,5 k`: about so much, without its currency. */
export const formatShort = ({ currency, value }: Amount, language: Language): string =>
  new Intl.NumberFormat(language, { notation: 'compact' }).format(Number(value) / 10 ** digitsOf(currency))

/** Whether this is what the API said: an unsafe number has been rounded on its way. */
const isExact = (value: number | bigint) => typeof value === 'bigint' || Number.isSafeInteger(value)

/** Of a number in full, too, of which `String` may make an exponent. */
const digitsOfValue = (value: number | bigint) => {
  const whole = BigInt(value)
  return String(whole < 0n ? -whole : whole)
}

/** Thousands that are grouped by one sign, and a fraction after the other; or no groups. */
const typed = [
  /^(?<whole>\d{1,3}(?:,\d{3})+)(?:\.(?<fraction>\d{1,2}))?$/,
  /^(?<whole>\d{1,3}(?:\.\d{3})+)(?:,(?<fraction>\d{1,2}))?$/,
  /^(?<whole>\d+)(?:[.,](?<fraction>\d{1,2}))?$/,
]

/** Whole minor units from what people type, `1,500.5` or `1500,50`; `undefined` where it is no amount of the currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency)
  const plain = text.trim().replace(/[\s\u00a0\u202f']/g, '')
  const { whole = '', fraction = '' } = typed.map((form) => form.exec(plain)).find(Boolean)?.groups ?? {}
  if (whole === '' || fraction.length > digits) return undefined
  const value = Number(whole.replace(/[.,]/g, '') + fraction.padEnd(digits, '0'))
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** As somebody would type it. */
export function typedMoney({ currency, value }: Amount): string {
  const digits = digitsOf(currency)
  const text = String(value).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
