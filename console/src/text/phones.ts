import { countries } from './countries.ts'

/** `+23276123456` from what people type in a country, `076 123 456` or `+232 76-123456`; `undefined` where it is no number. */
export function parsePhone(text: string, country: string): string | undefined {
  const dialled = text.replace(/[\s().-]/g, '')
  const { callingCode = '', trunk = '' } = countries[country] ?? {}
  const isAbroad = dialled.startsWith('+') || (callingCode !== '' && dialled.startsWith(callingCode))
  const number = isAbroad ? dialled.replace(/^\+/, '') : callingCode + withoutTrunk(dialled, trunk)
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : undefined
}

const withoutTrunk = (dialled: string, trunk: string) =>
  dialled.startsWith(trunk) ? dialled.slice(trunk.length) : dialled
