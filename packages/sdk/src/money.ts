import { digits } from './generated/currencies.ts'

/** An amount in minor units. For example, 1250 in SLE is Le 12.50. */
export type MoneyOf<V extends number | bigint = number> = { currency: string; value: V }

function digitsOf(currency: string): number {
  const places = Object.hasOwn(digits, currency) ? digits[currency] : undefined
  if (places === undefined) throw new RangeError(`${currency} is not a currency known to this version`)
  return places
}

/**
 * Parses an amount without floating point: `money('SLE', '12.50')` returns `{ currency: 'SLE', value: 1250 }`.
 *
 * @throws RangeError if the text is not a number or has more decimals than the currency allows, or if the
 * currency is unknown
 */
export function money(currency: string, text: string): MoneyOf {
  const places = digitsOf(currency)
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  const value = Number(whole + fraction.padEnd(places, '0'))
  if (whole === '' || fraction.length > places || !Number.isSafeInteger(value))
    throw new RangeError(
      `${JSON.stringify(text)} is not a valid amount in ${currency} (such as ${places ? `12.${'5'.padEnd(places, '0')}` : '12'})`,
    )
  return { currency, value }
}

/**
 * Formats an amount, which can be a bigint, as a decimal string such as `12.50`. This is the inverse of
 * `money`.
 *
 * @throws RangeError for a number outside the safe integer range, because it may have been rounded when the
 * response was parsed
 */
export function decimal({ currency, value }: MoneyOf<number | bigint>): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value} is outside the safe integer range, so it may have been rounded`)
  const places = digitsOf(currency)
  const sign = value < 0 ? '-' : ''
  const text = String(value)
    .replace('-', '')
    .padStart(places + 1, '0')
  return sign + (places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`)
}
