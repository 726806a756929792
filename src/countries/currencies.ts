import { data as iso4217 } from 'currency-codes'

const digitsByCode = new Map(iso4217.map(({ code, digits }) => [code, digits]))

/**
 * Returns a currency's number of decimals: 2 for GHS, 0 for XOF. Uses ISO 4217, never `Intl`, which drops
 * decimals that are not used in practice (MGA, SOS).
 *
 * Accepts every current ISO 4217 code, including those not supported here, since a rail's sandbox may require
 * euros.
 *
 * @throws RangeError for anything else, including withdrawn codes (SLL, ZWL)
 */
export function minorDigits(currency: string): number {
  const digits = digitsByCode.get(currency)
  if (digits === undefined) throw new RangeError(`${JSON.stringify(currency)} is not an ISO 4217 currency`)
  return digits
}

/** Returns whether the code is currently in ISO 4217, even if it is not supported here. */
export const isCurrency = (code: string): boolean => digitsByCode.has(code)
