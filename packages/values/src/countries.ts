import assert from 'node:assert/strict'
import { countries as listed, type TCountryCode } from 'countries-list'
import { minorDigits } from './currencies.ts'
import { hasKey } from './fields.ts'
import { circulatingCurrencies, countryNames, currencyNotes } from './overlay.ts'

export type Country = {
  /** ISO 3166-1 alpha-2 code in upper case. */
  code: string
  /** Name in English. */
  name: string
  /** `unit` is the name of the minor unit (`pesewa`), and `unitLength` is the number of decimals (GHS 2, XOF 0). */
  currency: { code: string; unit: string; unitLength: number }
  /** ISO 4217 codes, with the country's own currency first. */
  supportedCurrencies: string[]
}

/**
 * The mobile money markets in West, East, Central and Southern Africa, including the countries of all
 * providers.
 */
const codes: readonly TCountryCode[] = [
  ...(['BF', 'BJ', 'CI', 'CV', 'GH', 'GM', 'GN', 'GW', 'LR', 'ML', 'MR', 'NE', 'NG'] as const),
  ...(['SL', 'SN', 'TG'] as const),
  ...(['BI', 'DJ', 'ET', 'KE', 'KM', 'MG', 'MU', 'MW', 'MZ', 'RW', 'SC', 'SO', 'SS'] as const),
  ...(['TZ', 'UG', 'ZM', 'ZW'] as const),
  ...(['AO', 'CD', 'CF', 'CG', 'CM', 'GA', 'GQ', 'ST', 'TD'] as const),
  ...(['BW', 'LS', 'NA', 'SZ', 'ZA'] as const),
]

/** All supported countries, ordered by code. */
export const countries: readonly Country[] = codes.toSorted().map(describe)

const byCode = new Map(countries.map((country) => [country.code, country]))

/**
 * Returns the supported country with exactly this code. Returns `undefined` if there is none, for example for
 * `gh` in lower case.
 */
export const findCountry = (code: string): Country | undefined => byCode.get(code)

/** Returns whether French, but not English, is spoken in the country. */
export function speaksFrench(code: string): boolean {
  const languages: readonly string[] = hasKey(listed, code) ? listed[code].languages : []
  return languages.includes('fr') && !languages.includes('en')
}

function describe(code: TCountryCode): Country {
  const { name, currency } = listed[code]
  const supportedCurrencies = [...(circulatingCurrencies[code] ?? currency)]
  const own = supportedCurrencies[0]
  const notes = own === undefined ? undefined : currencyNotes[own]
  assert(own && notes, `${code} needs a currency with a named minor unit`)
  return {
    code,
    name: countryNames[code] ?? name,
    currency: { code: own, unit: notes.minorUnit, unitLength: minorDigits(own) },
    supportedCurrencies,
  }
}
