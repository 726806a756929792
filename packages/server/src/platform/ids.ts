import { randomFillSync, randomInt } from 'node:crypto'

/**
 * A kind of id. In code and in PostgreSQL, an id is a UUIDv7, which takes 16 bytes in an index instead of 30.
 * Outside the service, it is written as `<prefix>-<26 characters of Crockford base32>`, for example
 * `pay-01kah5c3v0e5r8m0q8z6b2t4xw`.
 *
 * The time in an id is the time of creation on the Space's clock, so "newest first" is simply the descending
 * order of ids.
 */
export type IdKind = {
  /** Three letters, such as `pay`. */
  prefix: string
  /**
   * An output buffer that is reused, because most responses contain several ids and concatenation would take
   * twice as long.
   */
  shown: Buffer
}

export const idKind = (prefix: string): IdKind => ({
  prefix,
  shown: Buffer.from(`${prefix}-${'0'.repeat(26)}`),
})

/** Ids of requests, which are shown in logs and error envelopes. */
export const requestIds = idKind('req')

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** The value of each character of the alphabet, indexed by its character code. */
const valueOfCode = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

const random = Buffer.alloc(8192)
let used = random.length

/** Returns the offset in `random` at which `count` unused bytes begin. */
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
 * Creates an id in its internal form. `at` is the time of creation on the Space's clock. Ids that one process
 * creates in the same millisecond are in ascending order, so that rows written together stay in order. For
 * this, the time is followed by a 24-bit counter shared by all kinds of ids (other requests may create ids in
 * between), and then by 50 random bits.
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

/** Returns the lowest possible id for a given time; `lastId` returns the highest. */
export const firstId = (at: Date) => `${timeDigits(at)}-0000-0000-000000000000`
export const lastId = (at: Date) => `${timeDigits(at)}-ffff-ffff-ffffffffffff`

function timeDigits(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** The positions of the 32 digits in a UUID, and the value of each digit by its character code. */
const digitPlaces = Uint8Array.from(
  { length: 32 },
  (_, i) => i + (i >= 8 ? 1 : 0) + (i >= 12 ? 1 : 0) + (i >= 16 ? 1 : 0) + (i >= 20 ? 1 : 0),
)
const digitOfCode = Uint8Array.from({ length: 128 }, (_, code) =>
  Number.parseInt(String.fromCharCode(code), 16),
)
const codeOfValue = Uint8Array.from(alphabet, (character) => character.charCodeAt(0))

/**
 * Converts an id to its external form: `showId(paymentIds, id)` returns `pay-…`. The first character represents
 * 3 bits, and each of the other 25 represents 5 bits.
 */
export function showId({ prefix, shown }: IdKind, id: string): string {
  let at = prefix.length + 1
  // An id has 128 bits, so the first character represents only the upper three.
  let bits = 0
  let held = 2
  for (let i = 0; i < digitPlaces.length; i++) {
    // Callers pass a UUID, so its digits are always within the tables, and so is a group of 5 bits.
    bits = ((bits << 4) | digitOfCode[id.charCodeAt(digitPlaces[i]!)]!) & 0xfff
    held += 4
    if (held < 5) continue
    held -= 5
    shown[at++] = codeOfValue[(bits >> held) & 31]!
  }
  return shown.toString('latin1')
}

/**
 * Converts an id from its external to its internal form. Returns `undefined` if the text is not an id of this
 * kind.
 */
export function readId(kind: IdKind, text: string): string | undefined {
  const prefix = `${kind.prefix}-`
  if (text.length !== prefix.length + 26 || !text.startsWith(prefix)) return undefined
  // 26 characters could hold 130 bits, so the two highest bits of the first character must be 0.
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

/** Converts an external id of any of these kinds to its internal form. */
export function readAnyId(kinds: readonly IdKind[], text: string): string | undefined {
  const kind = kinds.find(({ prefix }) => text.startsWith(`${prefix}-`))
  return kind && readId(kind, text)
}

/** Returns `count` random characters of Crockford base32. */
export function randomText(count: number): string {
  const from = takeRandom(count)
  let text = ''
  // `takeRandom` returns an offset within the array, and the alphabet has a character for each value of 5 bits.
  for (let i = from; i < from + count; i++) text += alphabet[random[i]! & 31]
  return text
}
