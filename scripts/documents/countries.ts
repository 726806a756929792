import { countries } from '@pesewa/values'
import { getCountryCallingCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { moduleOf } from './markdown.ts'

/** Generates the console's rules for reading amounts and phone numbers in local formats. */
export function writeCountries(): string {
  const lines = countries.map(({ code, supportedCurrencies: currencies }) => {
    const country = { currencies, ...dialledIn(code) }
    return `  ${code}: ${JSON.stringify(country)},`
  })
  return moduleOf(
    '`packages/server/src/countries`',
    "/** `currencies`: the country's own first. `trunk`: prefix of numbers dialled inside the country. */",
    'type Country = { currencies: string[]; callingCode: string; trunk: string; example: string }',
    '',
    'export const countries: Record<string, Country> = {',
    ...lines,
    '}',
    '',
  )
}

function dialledIn(code: string) {
  const example = isSupportedCountry(code) ? getExampleNumber(code, examples) : undefined
  if (!isSupportedCountry(code) || !example) throw new Error(`${code} has no numbering plan`)
  const dialled = example.formatNational().replace(/\D/g, '')
  const trunk = dialled.slice(0, dialled.length - example.nationalNumber.length)
  return { callingCode: getCountryCallingCode(code), trunk, example: example.formatInternational() }
}
