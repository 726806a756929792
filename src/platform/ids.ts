import { randomFillSync, randomInt } from 'node:crypto'

/**
 * Identifiers. Inside the program and in PostgreSQL an id is a UUIDv7 (16 bytes in an index instead of 30);
 * outside it is `<prefix>-<26 characters of Crockford base32>`, for example `pay-01kah5c3v0e5r8m0q8z6b2t4xw`.
 *
 * The time inside an id is the creation time by the Space's clock, so that "newest first" is simply the order
 * of ids, backwards.
 */
export const idPrefixes = {
  space: 'spc',
  financialAccount: 'fac',
  financialTransaction: 'ftx',
  checkoutSession: 'cos',
  paymentCode: 'pmc',
  payment: 'pay',
  payout: 'pyt',
  internalTransfer: 'trn',
  ussdOtp: 'otp',
  webhook: 'whk',
  event: 'evt',
  delivery: 'dlv',
  order: 'ord',
  refund: 'rfd',
  token: 'tok',
  user: 'usr',
  lineItem: 'lin',
  request: 'req',
} as const

export type IdKind = keyof typeof idPrefixes

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const randomBytes = 7
const random = new Uint8Array(randomBytes * 1024)
let used = random.length

const counterSize = 2 ** 24
let counter = randomInt(counterSize)

/**
 * A new id in its inner form. `at` is the creation time by the Space's clock. Ids that one process makes for one
 * millisecond rise in the order they were made, so that what was written together reads in order: after the time
 * stand 24 bits that count every id, whatever its time (other requests make ids in between), then 50 random bits.
 */
export function newId(at: Date): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const r = random.subarray(used, used + randomBytes)
  used += randomBytes
  counter = (counter + 1) % counterSize
  const versionAndA = (0x7000 | (counter >> 12)).toString(16)
  const variantAndB = (0x8000 | ((counter & 0xfff) << 2) | (r[0]! & 0x03)).toString(16)
  const rest = Buffer.from(r.buffer, r.byteOffset + 1, 6).toString('hex')
  return `${timeDigits(at)}-${versionAndA}-${variantAndB}-${rest}`
}

/** The least and the greatest id of a moment. */
export const firstId = (at: Date) => `${timeDigits(at)}-0000-0000-000000000000`
export const lastId = (at: Date) => `${timeDigits(at)}-ffff-ffff-ffffffffffff`

function timeDigits(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** The outer form: `showId('payment', id)` is `pay-…`: 3 bits, then 25 groups of 5. */
export function showId(kind: IdKind, id: string): string {
  const hex = id.replaceAll('-', '')
  const first = Number.parseInt(hex.slice(0, 2), 16)
  let body = alphabet[first >> 5]! + alphabet[first & 31]!
  // 20 bits at a time: 5 hexadecimal digits are 4 characters.
  for (let i = 2; i < hex.length; i += 5) {
    const bits = Number.parseInt(hex.slice(i, i + 5), 16)
    body +=
      alphabet[bits >> 15]! +
      alphabet[(bits >> 10) & 31]! +
      alphabet[(bits >> 5) & 31]! +
      alphabet[bits & 31]!
  }
  return `${idPrefixes[kind]}-${body}`
}

/** The inner form of an outer id, or `undefined` when the text is not an id of this kind. */
export function readId(kind: IdKind, text: string): string | undefined {
  const prefix = `${idPrefixes[kind]}-`
  if (text.length !== prefix.length + 26 || !text.startsWith(prefix)) return undefined
  const values = Array.from(text.slice(prefix.length), (character) => alphabet.indexOf(character))
  // 26 characters hold 130 bits: the first may not use its upper two.
  if (values.includes(-1) || values[0]! > 7) return undefined
  let hex = ((values[0]! << 5) | values[1]!).toString(16).padStart(2, '0')
  for (let i = 2; i < values.length; i += 4) {
    const bits = (values[i]! << 15) | (values[i + 1]! << 10) | (values[i + 2]! << 5) | values[i + 3]!
    hex += bits.toString(16).padStart(5, '0')
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** `count` random characters of Crockford base32. */
export function randomText(count: number): string {
  const bytes = randomFillSync(new Uint8Array(count))
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join('')
}
