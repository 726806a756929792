import { must } from './must.ts'

/**
 * The alphabet that handsets show in a USSD session: GSM 03.38's default one, and its extension, each character of
 * which takes the room of two. Whatever stands in neither makes networks cut the text at less than half its length.
 */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'

const room = new Map([
  ...[...basic].map((character) => [character, 1] as const),
  ...[...extension].map((character) => [character, 2] as const),
])

/** What a USSD message holds: 160 octets of seven bits each. */
export const maxSeptets = 182 // limit: a message to a handset

/** The room that a text takes, in septets; `undefined` when a handset may not be able to show it. */
export function septetsOf(text: string): number | undefined {
  let septets = 0
  for (const character of text) {
    const taken = room.get(character)
    if (taken === undefined) return undefined
    septets += taken
  }
  return septets
}

/** The nearest text that a handset can show on one line: accents that it lacks are left out, the rest becomes `?`. */
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

/** The septets of a text that is of the alphabet. */
export const lengthOf = (text: string): number => must(septetsOf(text), 'such character in the alphabet')

/** A text of the alphabet cut to `septets`, so that its last two characters say that it was cut. */
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
