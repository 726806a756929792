import { getCountryCallingCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { countries } from '../../src/countries/countries.ts'

/** How the console reads amounts and phone numbers that are typed in a country's own way. */
export function writeCountries(): string {
  const lines = countries.map(({ code, supportedCurrencies: currencies }) => {
    const country = { currencies, ...dialledIn(code) }
    return `  ${code}: ${JSON.stringify(country)},`
  })
  return [
    '// Written by `npm run write` from `src/countries`: edit that instead.',
    '',
    '/** `currencies`: its own first. `trunk`: what stands before a number that is dialled inside the country. */',
    'type Country = { currencies: string[]; callingCode: string; trunk: string; example: string }',
    '',
    'export const countries: Record<string, Country> = {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

function dialledIn(code: string) {
  const example = isSupportedCountry(code) ? getExampleNumber(code, examples) : undefined
  if (!isSupportedCountry(code) || !example) throw new Error(`${code} has no numbering plan`)
  const dialled = example.formatNational().replace(/\D/g, '')
  const trunk = dialled.slice(0, dialled.length - example.nationalNumber.length)
  return { callingCode: getCountryCallingCode(code), trunk, example: example.formatInternational() }
}
