import { countries } from './countries.ts'

/**
 * Parses a phone number as people type it, such as `076 123 456` or `+232 76-123456`, into the form
 * `+23276123456`. Returns `undefined` if it is not valid.
 */
export function parsePhone(text: string, country: string): string | undefined {
  const dialled = text.replace(/[\s().-]/g, '')
  const number = dialled.startsWith('+') ? dialled.slice(1) : withCallingCode(dialled, country)
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : undefined
}

/**
 * Adds the country's calling code, unless the number already starts with it. A number that is too short to be
 * international is treated as local, even if it starts with the same digits.
 */
function withCallingCode(dialled: string, country: string): string {
  const { callingCode = '', trunk = '', example = '' } = countries[country] ?? {}
  const isWhole = dialled.startsWith(callingCode) && dialled.length >= example.replace(/\D/g, '').length
  if (isWhole) return dialled
  return callingCode + (dialled.startsWith(trunk) ? dialled.slice(trunk.length) : dialled)
}
