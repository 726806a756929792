import type { Seals } from './seals.ts'

// Codes on printed documents, which people type. They consist of Crockford's 32 characters, in which no letter
// looks like a digit.

const characters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const checkLength = 8 // 40 bits, because guesses are limited by rate

/** Returns a code that proves that we issued `text`. */
export const checkCode = (seals: Seals, purpose: string, text: string): string =>
  encodeNumber(Buffer.from(seals.fingerprint(purpose, text), 'base64url').readUIntBE(0, 5), checkLength)

/** Encodes a whole number below 2⁵³ in `length` characters. */
export const encodeNumber = (value: number, length: number): string =>
  Array.from({ length }, (_, i) => characters[Math.floor(value / 32 ** (length - 1 - i)) % 32]).join('')

/** Decodes a number encoded by `encodeNumber`. */
export const decodeNumber = (text: string): number =>
  [...text].reduce((value, character) => value * 32 + characters.indexOf(character), 0)

/** Splits a code as it was typed into what it is about and its check code. */
export function readCode(typed: string): { body: string; check: string } {
  const code = typed
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
    .replaceAll(new RegExp(`[^${characters}]`, 'g'), '')
  return { body: code.slice(0, -checkLength), check: code.slice(-checkLength) }
}

/** Returns a code in groups of four characters. */
export const showCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-')
