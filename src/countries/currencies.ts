import { data as iso4217 } from 'currency-codes'

const digitsByCode = new Map(iso4217.map(({ code, digits }) => [code, digits]))

/**
 * How many digits of a major unit the currency counts in: 2 for GHS, 0 for XOF. From ISO 4217, never from `Intl`,
 * which rounds away the digits that people do not use (MGA, SOS).
 *
 * Knows every current ISO 4217 code, supported here or not: a rail's sandbox may insist on euros.
 *
 * @throws RangeError for anything else, withdrawn codes (SLL, ZWL) included
 */
export function minorDigits(currency: string): number {
  const digits = digitsByCode.get(currency)
  if (digits === undefined) throw new RangeError(`${JSON.stringify(currency)} is not an ISO 4217 currency`)
  return digits
}

/** Whether it is a current ISO 4217 code, supported here or not. */
export const isCurrency = (code: string): boolean => digitsByCode.has(code)
