import { must } from './must.ts'

/**
 * Characters that handsets show in a USSD session: the GSM 03.38 default alphabet and its extension, whose
 * characters count twice. With any other character, networks allow less than half the length.
 */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'

const room = new Map([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
])

/** Capacity of a USSD message: 160 octets of seven bits each. */
export const maxSeptets = 182 // a message to a handset

/** Returns the length of a text in septets; `undefined` if it has characters outside the alphabet. */
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
 * Converts a text to the nearest one that a handset can show on one line: unsupported accents are dropped,
 * other characters become `?`.
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

/** Returns the septets of a text within the alphabet. */
export const lengthOf = (text: string): number => must(septetsOf(text), 'GSM 7-bit form of a character')

/** Truncates a text within the alphabet to `septets`, ending in `..` if it was cut. */
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
