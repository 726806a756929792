import { must } from '@pesewa/values'

/**
 * The characters that handsets can show in a USSD session: the GSM 03.38 default alphabet and its extension,
 * whose characters count twice. A message that contains any other character can hold fewer than half as many
 * characters.
 */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'

const room = new Map([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
])

/** Capacity of a USSD message in septets. Its 160 octets hold 182 septets. */
export const maxSeptets = 182 // length of a message to a handset

/** Returns the length of a text in septets, or `undefined` if it contains characters outside the alphabet. */
export function septetsOf(text: string): number | undefined {
  let septets = 0
  for (const character of text) {
    const taken = room.get(character)
    if (taken === undefined) return undefined
    septets += taken
  }
  return septets
}

/**
 * Converts a text to the closest text that a handset can show on one line. Unsupported accents are dropped, and
 * other unsupported characters become `?`.
 */
export function toGsm7(text: string): string {
  let shown = ''
  for (const character of text.normalize('NFC').replace(/[\p{C}\s]+/gu, ' ')) shown += nearest(character)
  return shown.trim()
}

const stand: Record<string, string> = {
  ...{ '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-', '—': '-', '…': '...', œ: 'oe', Œ: 'OE', ç: 'c' },
  ...{ ɛ: 'e', Ɛ: 'E', ɔ: 'o', Ɔ: 'O', ŋ: 'ng', Ŋ: 'Ng' },
}

function nearest(character: string): string {
  if (room.has(character)) return character
  const plain = stand[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain !== '' && septetsOf(plain) !== undefined ? plain : '?'
}

/** Returns the length in septets of a text that contains only characters of the alphabet. */
export const lengthOf = (text: string): number => must(septetsOf(text), 'GSM 7-bit form of a character')

/** Truncates a text that contains only characters of the alphabet to `septets`. A truncated text ends in `..`. */
export function cutTo(text: string, septets: number): string {
  if (lengthOf(text) <= septets) return text
  let cut = ''
  let left = septets - 2
  for (const character of text) {
    left -= lengthOf(character)
    if (left < 0) break
    cut += character
  }
  return `${cut}..`
}
