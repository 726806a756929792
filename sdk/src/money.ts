import { digits } from './generated/currencies.ts'

/** An amount in minor units: 1250 of SLE are 12.50 leones. */
export type MoneyOf<V extends number | bigint = number> = { currency: string; value: V }

const digitsOf = (currency: string) => digits[currency] ?? 2

/**
 * `money('SLE', '12.50')` is `{ currency: 'SLE', value: 1250 }`: from text, so that no float comes between.
 *
 * @throws RangeError for anything but digits, with as many after the point as the currency has, at most
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

/** The reverse: `12.50`. Also of sums that are bigints. */
export function decimal({ currency, value }: MoneyOf<number | bigint>): string {
  const places = digitsOf(currency)
  const sign = value < 0 ? '-' : ''
  const text = String(value)
    .replace('-', '')
    .padStart(places + 1, '0')
  return sign + (places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`)
}
