// The `min` build (83 kB instead of 157): lengths and each country's general pattern, without patterns per line
// type.
import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Longer than a number in any notation; checked before parsing. */
const maxPhoneLength = 32 // limit: length of a phone number as typed

/**
 * Parses a phone number to E.164 with `+` (`+23276123456`); returns `undefined` if it cannot be a number.
 *
 * Accepts E.164 with or without `+`, and the national form of `country` with or without its trunk `0`. Ignores
 * spaces, hyphens and parentheses. If text without `+` is ambiguous, the national reading takes precedence over
 * a foreign one, because payers dial from the Space's country.
 *
 * `live` accepts any number that fits the country's general numbering pattern, not only the narrower pattern of
 * mobile lines: regulators open new ranges faster than software is updated, and the rail decides in the end.
 * `test` also accepts any number of a length used in its country (`+23200000001`), so that made-up numbers
 * work.
 */
export function parsePhone(text: string, country: string, environment: 'test' | 'live'): string | undefined {
  if (text.length > maxPhoneLength) return undefined
  const dialled = text.replace(/[\s()-]/g, '')
  if (!/^\+?[0-9]+$/.test(dialled)) return undefined
  const readings = readingsOf(dialled, country)
  const chosen =
    readings.find((reading) => reading.isValid()) ??
    (environment === 'test' ? chooseMadeUpReading(readings, country) : undefined)
  // A made-up number can lose a digit each time it is parsed; such a number is refused.
  return chosen && read(chosen.number)?.number === chosen.number ? chosen.number : undefined
}

/** Returns the country of a number as ISO 3166-1 alpha-2; `undefined` for numbers without one (`+800…`). */
export function countryOfPhone(e164: string): string | undefined {
  return e164.startsWith('+') && e164.length <= maxPhoneLength ? read(e164)?.country : undefined
}

/**
 * Returns a number in its national form, without the calling code; `undefined` for a number from another
 * country.
 */
export function nationalNumberOf(e164: string, country: string): string | undefined {
  const number = e164.startsWith('+') && e164.length <= maxPhoneLength ? read(e164) : undefined
  return number?.country === country ? number.nationalNumber : undefined
}

/**
 * Returns the possible readings. A national reading must be in `country`: `00…` is the international prefix,
 * not part of a number.
 */
function readingsOf(dialled: string, country: string): PhoneNumber[] {
  const international = read(dialled.startsWith('+') ? dialled : `+${dialled}`)
  const national = dialled.startsWith('+') ? undefined : read(dialled, country)
  return [national?.country === country ? national : undefined, international].filter(
    (reading) => reading !== undefined,
  )
}

/**
 * Chooses the reading of a made-up number, which matches no pattern. Digits that begin with the Space's calling
 * code and have a valid length after it are read as E.164; otherwise the national reading takes precedence.
 */
function chooseMadeUpReading(readings: PhoneNumber[], country: string): PhoneNumber | undefined {
  const possible = readings.filter((reading) => reading.isPossible())
  return possible.findLast((reading) => reading.country === country) ?? possible[0]
}

function read(dialled: string, country?: string): PhoneNumber | undefined {
  return country !== undefined && isSupportedCountry(country)
    ? parsePhoneNumberFromString(dialled, { defaultCountry: country, extract: false })
    : parsePhoneNumberFromString(dialled, { extract: false })
}
