import assert from 'node:assert/strict'
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

// The last time and its digits, because a request creates several ids with the same time.
let lastTime = Number.NaN
let lastDigits = ''

function timeDigits(at: Date): string {
  if (at.getTime() !== lastTime) {
    lastTime = at.getTime()
    const time = lastTime.toString(16).padStart(12, '0')
    lastDigits = `${time.slice(0, 8)}-${time.slice(8)}`
  }
  return lastDigits
}

/** The positions of the 32 digits in a UUID, the value of each digit by its character code, and the reverse. */
const digitPlaces = Uint8Array.from(
  { length: 32 },
  (_, i) => i + (i >= 8 ? 1 : 0) + (i >= 12 ? 1 : 0) + (i >= 16 ? 1 : 0) + (i >= 20 ? 1 : 0),
)
const digits = '0123456789abcdef'
const digitOfCode = Int8Array.from({ length: 128 }, (_, code) =>
  digits.indexOf(String.fromCharCode(code).toLowerCase()),
)
const codeOfDigit = Uint8Array.from(digits, (character) => character.charCodeAt(0))
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
  let bits = 0
  // 26 characters could hold 130 bits, so the two highest bits of the first character must be 0.
  let held = -2
  let digit = 0
  for (let i = prefix.length; i < text.length; i++) {
    const value = valueOfCode[text.charCodeAt(i)] ?? -1
    if (value < 0 || (i === prefix.length && value > 7)) return undefined
    bits = ((bits << 5) | value) & 0xff
    // 26 characters without the two highest bits are exactly 32 digits, so the tables have an entry for each.
    held += 5
    while (held >= 4) {
      held -= 4
      internal[digitPlaces[digit++]!] = codeOfDigit[(bits >> held) & 15]!
    }
  }
  return internal.toString('latin1')
}

/** An output buffer that is reused, like those of the kinds. */
const internal = Buffer.from('00000000-0000-0000-0000-000000000000')

/** Writes the 16 bytes of an id to a buffer, three times as fast as Node's decoder. Returns their number. */
export function writeId(id: string, buffer: Buffer, at: number): number {
  let all = 0
  for (let i = 0; i < digitPlaces.length; i += 2) {
    // The number of places is even.
    const byte = (digitAt(id, digitPlaces[i]!) << 4) | digitAt(id, digitPlaces[i + 1]!)
    all |= byte
    buffer[at + i / 2] = byte
  }
  assert(all >= 0 && id.length === internal.length, 'an id must be a UUID')
  return digitPlaces.length / 2
}

const digitAt = (id: string, place: number) => digitOfCode[id.charCodeAt(place)] ?? -1

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
