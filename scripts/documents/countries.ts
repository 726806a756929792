import { countries } from '@pesewa/values'
import { getCountryCallingCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { moduleOf } from './markdown.ts'

/**
 * Generates the console's rules for reading amounts and phone numbers in local formats. They are one text, because
 * every first visit loads them.
 */
export function writeCountries(): string {
  const lines = countries.map(({ code, supportedCurrencies }) => {
    const { callingCode, trunk, example } = dialledIn(code)
    return [code, supportedCurrencies.join(' '), callingCode, trunk, example].join(',')
  })
  return moduleOf(
    '`packages/server/src/countries`',
    "/** `currencies`: the country's own first. `trunk`: prefix of numbers dialled inside the country. */",
    'type Country = { currencies: string[]; callingCode: string; trunk: string; example: string }',
    '',
    '/** One line per country: code, currencies, calling code, trunk, and an example without its calling code. */',
    'const table = `',
    ...lines,
    '`',
    '',
    'export const countries: Record<string, Country> = Object.fromEntries(',
    "  table.trim().split('\\n').map((line) => {",
    "    const [code = '', currencies = '', callingCode = '', trunk = '', example = ''] = line.split(',')",
    "    return [code, { currencies: currencies.split(' '), callingCode, trunk, example: ['+', callingCode, ' ', example].join('') }]",
    '  }),',
    ')',
    '',
  )
}

function dialledIn(code: string) {
  const example = isSupportedCountry(code) ? getExampleNumber(code, examples) : undefined
  if (!isSupportedCountry(code) || !example) throw new Error(`${code} has no numbering plan`)
  const dialled = example.formatNational().replace(/\D/g, '')
  const trunk = dialled.slice(0, dialled.length - example.nationalNumber.length)
  const callingCode = getCountryCallingCode(code)
  return { callingCode, trunk, example: example.formatInternational().slice(`+${callingCode} `.length) }
}
