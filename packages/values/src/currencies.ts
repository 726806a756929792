import { data as iso4217 } from 'currency-codes'

const digitsByCode = new Map(iso4217.map(({ code, digits }) => [code, digits]))

/**
 * Returns the number of decimals of a currency: 2 for GHS, 0 for XOF. It is taken from ISO 4217, never from
 * `Intl`, which leaves out decimals that are not used in practice (MGA, SOS).
 *
 * Accepts every current ISO 4217 code, including those of currencies not supported here, because the sandbox of
 * a rail may require euros.
 *
 * @throws RangeError for any other code, including withdrawn ones (SLL, ZWL)
 */
export function minorDigits(currency: string): number {
  const digits = digitsByCode.get(currency)
  if (digits === undefined) throw new RangeError(`${JSON.stringify(currency)} is not an ISO 4217 currency`)
  return digits
}

/** Returns whether this is a current ISO 4217 code, even if the currency is not supported here. */
export const isCurrency = (code: string): boolean => digitsByCode.has(code)
