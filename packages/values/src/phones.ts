// The `min` build (83 kB instead of 157) contains lengths and the general pattern of each country, but no
// patterns for each type of line.

import {
  getCountryCallingCode,
  getExampleNumber,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'

/** Longer than a number in any notation. It is checked before parsing. */
const maxPhoneLength = 32 // limit: length of a phone number as typed

/**
 * Parses a phone number and returns it in E.164 with `+` (`+23276123456`), or `undefined` if it cannot be a
 * number.
 *
 * Accepts E.164 with or without `+`, and the national form of `country` with or without its trunk `0`. Spaces,
 * hyphens and parentheses are ignored. If a text without `+` is ambiguous, it is read as a national number
 * rather than a foreign one, because payers dial from the Space's country.
 *
 * `live` accepts any number that matches the general numbering pattern of its country, not only those that
 * match the narrower pattern of mobile lines. Regulators open new ranges faster than software is updated, and
 * the rail has the final say. `test` also accepts any number with a length that is used in its country
 * (`+23200000001`), so that made-up numbers work.
 */
export function parsePhone(text: string, country: string, environment: 'test' | 'live'): string | undefined {
  if (text.length > maxPhoneLength) return undefined
  const dialled = text.replace(/[\s()-]/g, '')
  if (!/^\+?[0-9]+$/.test(dialled)) return undefined
  const readings = readingsOf(dialled, country)
  const chosen =
    readings.find((reading) => reading.isValid()) ??
    (environment === 'test' ? chooseMadeUpReading(readings, country) : undefined)
  // Some made-up numbers would lose a digit each time they are parsed. Such numbers are refused.
  return chosen && read(chosen.number)?.number === chosen.number ? chosen.number : undefined
}

/**
 * Returns the country of a number as an ISO 3166-1 alpha-2 code, or `undefined` if the number belongs to no
 * country (`+800…`).
 */
export function countryOfPhone(e164: string): string | undefined {
  return e164.startsWith('+') && e164.length <= maxPhoneLength ? read(e164)?.country : undefined
}

/**
 * Returns a number in its national form, without the calling code, or `undefined` if it belongs to another
 * country.
 */
export function nationalNumberOf(e164: string, country: string): string | undefined {
  const number = e164.startsWith('+') && e164.length <= maxPhoneLength ? read(e164) : undefined
  return number?.country === country ? number.nationalNumber : undefined
}

/**
 * Returns the possible ways to read a text as a number. A number in national format must be a number in
 * `country`. A leading `00` is the international prefix, not part of the number.
 */
function readingsOf(dialled: string, country: string): PhoneNumber[] {
  const international = read(dialled.startsWith('+') ? dialled : `+${dialled}`)
  const national = dialled.startsWith('+') ? undefined : read(dialled, country)
  return [national?.country === country ? national : undefined, international].filter(
    (reading) => reading !== undefined,
  )
}

/**
 * Chooses how to read a made-up number, which matches no pattern. If the digits begin with the calling code of
 * the Space's country, followed by as many digits as a number in that country can have, they are read as E.164.
 * Otherwise, they are read as a national number if possible.
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

/** Returns the calling code of a supported country, without `+`: `232` for `SL`. */
export const callingCode = (country: string): string =>
  // The library supports every country in the catalogue.
  getCountryCallingCode(country as Parameters<typeof getCountryCallingCode>[0])

/**
 * Returns a mobile number in `country` as people write it there, such as `076 123 456`, or `undefined` if none is
 * known. The number begins with `prefix` (in E.164 with `+`) if there is one. It may be a real person's number.
 */
export function examplePhone(country: string, prefix = ''): string | undefined {
  if (!isSupportedCountry(country)) return undefined
  const example = getExampleNumber(country, examples)?.number
  if (example === undefined) return undefined
  const number = prefix && prefix + digits.slice(0, example.length - prefix.length)
  // Some countries' format has parentheses, or hyphens, or six digits in a row, which are hard to read.
  return read(number || example)
    ?.formatNational()
    .replaceAll(/[()]/g, '')
    .replaceAll('-', ' ')
    .replaceAll(/\b(\d{3})(\d{3})\b/g, '$1 $2')
}

const digits = '123456789'
