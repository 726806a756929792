import { digits } from './generated/currencies.ts'

/** An amount in minor units: 1250 of SLE are 12.50 leones. */
export type MoneyOf<V extends number | bigint = number> = { currency: string; value: V }

function digitsOf(currency: string): number {
  const places = Object.hasOwn(digits, currency) ? digits[currency] : undefined
  if (places === undefined) throw new RangeError(`${currency} is no currency that this version knows`)
  return places
}

/**
 * `money('SLE', '12.50')` is `{ currency: 'SLE', value: 1250 }`: from text, so that no float comes between.
 *
 * @throws RangeError for anything but digits, with as many after the point as the currency has, at most; for a currency that is not known
 */
export function money(currency: string, text: string): MoneyOf {
  const places = digitsOf(currency)
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  const value = Number(whole + fraction.padEnd(places, '0'))
  if (whole === '' || fraction.length > places || !Number.isSafeInteger(value))
    throw new RangeError(
      `${JSON.stringify(text)} is no amount of ${currency} (like ${places ? `12.${'5'.padEnd(places, '0')}` : '12'})`,
    )
  return { currency, value }
}

/**
 * The reverse: `12.50`. Also of sums that are bigints.
 *
 * @throws RangeError for a number that has been rounded, as engines do with large ones that cannot read them as bigints
 */
export function decimal({ currency, value }: MoneyOf<number | bigint>): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value} is no exact amount`)
  const places = digitsOf(currency)
  const sign = value < 0 ? '-' : ''
  const text = String(value)
    .replace('-', '')
    .padStart(places + 1, '0')
  return sign + (places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`)
}
