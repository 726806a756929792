import { countries } from './countries.ts'

/** `+23276123456` from what people type in a country, `076 123 456` or `+232 76-123456`; `undefined` where it is no number. */
export function parsePhone(text: string, country: string): string | undefined {
  const dialled = text.replace(/[\s().-]/g, '')
  const number = dialled.startsWith('+') ? dialled.slice(1) : fromInside(dialled, country)
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : undefined
}

/** With its calling code, which it may begin with when it is as long as a whole number. */
function fromInside(dialled: string, country: string): string {
  const { callingCode = '', trunk = '', example = '' } = countries[country] ?? {}
  const isWhole = dialled.startsWith(callingCode) && dialled.length >= example.replace(/\D/g, '').length
  if (isWhole) return dialled
  return callingCode + (dialled.startsWith(trunk) ? dialled.slice(trunk.length) : dialled)
}
