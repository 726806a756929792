import { randomFillSync, randomInt } from 'node:crypto'

/**
 * Identifiers. In code and in PostgreSQL, an id is a UUIDv7 (16 bytes in an index instead of 30). Externally,
 * it is `<prefix>-<26 characters of Crockford base32>`, for example `pay-01kah5c3v0e5r8m0q8z6b2t4xw`.
 *
 * The time in an id is the creation time by the Space's clock, so that "newest first" is simply descending id
 * order.
 */
export type IdKind = {
  /** Three letters: `pay`. */
  prefix: string
  /** Reused as an output buffer: most responses show several ids, and concatenation takes twice as long. */
  shown: Buffer
}

export const idKind = (prefix: string): IdKind => ({
  prefix,
  shown: Buffer.from(`${prefix}-${'0'.repeat(26)}`),
})

/** Request ids, in logs and error envelopes. */
export const requestIds = idKind('req')

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** Indexed by character code. */
const valueOfCode = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

const random = Buffer.alloc(8192)
let used = random.length

/** Returns the offset in `random` of `count` unused bytes. */
function takeRandom(count: number): number {
  if (used + count > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += count
  return used - count
}

const counterSize = 2 ** 24
let counter = randomInt(counterSize)

/**
 * Creates an id in its inner form. `at`: creation time by the Space's clock. Ids created by one process in one
 * millisecond are ascending, so that rows written together sort in order: the time is followed by a 24-bit
 * counter across all ids (other requests create ids in between), then 50 random bits.
 */
export function newId(at: Date): string {
  const r = takeRandom(7)
  counter = (counter + 1) % counterSize
  const versionAndA = (0x7000 | (counter >> 12)).toString(16)
  // `takeRandom` returns an offset within the array.
  const variantAndB = (0x8000 | ((counter & 0xfff) << 2) | (random[r]! & 0x03)).toString(16)
  const rest = random.toString('hex', r + 1, r + 7)
  return `${timeDigits(at)}-${versionAndA}-${variantAndB}-${rest}`
}

/** The lowest and the highest id for a given time. */
export const firstId = (at: Date) => `${timeDigits(at)}-0000-0000-000000000000`
export const lastId = (at: Date) => `${timeDigits(at)}-ffff-ffff-ffffffffffff`

function timeDigits(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** Positions of the 32 digits of a UUID, and the value of each digit by character code. */
const digitPlaces = Uint8Array.from(
  { length: 32 },
  (_, i) => i + (i >= 8 ? 1 : 0) + (i >= 12 ? 1 : 0) + (i >= 16 ? 1 : 0) + (i >= 20 ? 1 : 0),
)
const digitOfCode = Uint8Array.from({ length: 128 }, (_, code) =>
  Number.parseInt(String.fromCharCode(code), 16),
)
const codeOfValue = Uint8Array.from(alphabet, (character) => character.charCodeAt(0))

/** Converts to the outer form: `showId(paymentIds, id)` is `pay-…`: 3 bits, then 25 groups of 5. */
export function showId({ prefix, shown }: IdKind, id: string): string {
  let at = prefix.length + 1
  // 128 bits: the first character holds only the upper three.
  let bits = 0
  let held = 2
  for (let i = 0; i < digitPlaces.length; i++) {
    // Callers pass a UUID, so its digits are within the tables, and so are 5 bits.
    bits = ((bits << 4) | digitOfCode[id.charCodeAt(digitPlaces[i]!)]!) & 0xfff
    held += 4
    if (held < 5) continue
    held -= 5
    shown[at++] = codeOfValue[(bits >> held) & 31]!
  }
  return shown.toString('latin1')
}

/** Converts an outer id to its inner form; `undefined` if it is not an id of this kind. */
export function readId(kind: IdKind, text: string): string | undefined {
  const prefix = `${kind.prefix}-`
  if (text.length !== prefix.length + 26 || !text.startsWith(prefix)) return undefined
  // 26 characters hold 130 bits, so the first one may not use its upper two.
  let bits = 0
  let hex = ''
  for (let i = 0; i < 26; i++) {
    const value = valueOfCode[text.charCodeAt(prefix.length + i)] ?? -1
    if (value < 0 || (i === 0 && value > 7)) return undefined
    bits = (bits << 5) | value
    if (i === 1) hex = bits.toString(16).padStart(2, '0')
    else if (i % 4 === 1) hex += bits.toString(16).padStart(5, '0')
    if (i % 4 === 1) bits = 0
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Converts an outer id of any of these kinds to its inner form. */
export function readAnyId(kinds: readonly IdKind[], text: string): string | undefined {
  const kind = kinds.find(({ prefix }) => text.startsWith(`${prefix}-`))
  return kind && readId(kind, text)
}

/** Returns `count` random characters of Crockford base32. */
export function randomText(count: number): string {
  const from = takeRandom(count)
  let text = ''
  // `takeRandom` returns an offset within the array, and 5 bits are within the alphabet.
  for (let i = from; i < from + count; i++) text += alphabet[random[i]! & 31]
  return text
}
