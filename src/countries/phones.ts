// The `min` build (83 kB of 157): lengths and each country's overall pattern, without patterns per kind of line.
import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** More than any way of writing a number needs; checked before anything reads the text. */
const maxPhoneLength = 32 // limit: a phone number as people write it

/**
 * A phone number as E.164 with `+` (`+23276123456`), or `undefined` when it cannot be one.
 *
 * Takes E.164 with or without `+`, and the national form of `country` with or without its trunk `0`. Spaces,
 * hyphens and parentheses are ignored. Without a `+` some texts can be read in two ways; then the national reading
 * wins over a foreign one, because the Space's country is what its people dial from.
 *
 * `live` takes what fits the country's overall numbering pattern, and not the finer pattern of mobile lines:
 * regulators open new ranges faster than programs are updated, and the rail has the last word. `test` also takes
 * any number of a length that its country uses (`+23200000001`), so that made-up numbers work.
 */
export function parsePhone(text: string, country: string, environment: 'test' | 'live'): string | undefined {
  if (text.length > maxPhoneLength) return undefined
  const dialled = text.replace(/[\s()-]/g, '')
  if (!/^\+?[0-9]+$/.test(dialled)) return undefined
  const readings = readingsOf(dialled, country)
  const chosen =
    readings.find((reading) => reading.isValid()) ??
    (environment === 'test' ? likeliestShape(readings, country) : undefined)
  // A made-up number may lose a digit each time it is read; then it is none.
  return chosen && read(chosen.number)?.number === chosen.number ? chosen.number : undefined
}

/** The country a number belongs to, as ISO 3166-1 alpha-2; `undefined` for what belongs to none (`+800…`). */
export function countryOfPhone(e164: string): string | undefined {
  return e164.startsWith('+') && e164.length <= maxPhoneLength ? read(e164)?.country : undefined
}

/** A number without its calling code, as the networks of its own country write it; `undefined` for another country's. */
export function nationalNumberOf(e164: string, country: string): string | undefined {
  const number = e164.startsWith('+') && e164.length <= maxPhoneLength ? read(e164) : undefined
  return number?.country === country ? number.nationalNumber : undefined
}

/** A national reading stays in its country: `00…` is how one dials abroad, not how one writes a number here. */
function readingsOf(dialled: string, country: string): PhoneNumber[] {
  const international = read(dialled.startsWith('+') ? dialled : `+${dialled}`)
  const national = dialled.startsWith('+') ? undefined : read(dialled, country)
  return [national?.country === country ? national : undefined, international].filter(
    (reading) => reading !== undefined,
  )
}

/**
 * For made-up numbers no pattern decides between the readings. Digits that begin with the Space's own calling code
 * and have a good length after it are meant as E.164; after that the national reading comes first.
 */
function likeliestShape(readings: PhoneNumber[], country: string): PhoneNumber | undefined {
  const possible = readings.filter((reading) => reading.isPossible())
  return possible.findLast((reading) => reading.country === country) ?? possible[0]
}

function read(dialled: string, country?: string): PhoneNumber | undefined {
  return country !== undefined && isSupportedCountry(country)
    ? parsePhoneNumberFromString(dialled, { defaultCountry: country, extract: false })
    : parsePhoneNumberFromString(dialled, { extract: false })
}
