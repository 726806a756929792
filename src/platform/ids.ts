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
  const time = timeOf(at)
  const versionAndA = (0x7000 | (counter >> 12)).toString(16)
  const variantAndB = (0x8000 | ((counter & 0xfff) << 2) | (r[0]! & 0x03)).toString(16)
  const rest = Buffer.from(r.buffer, r.byteOffset + 1, 6).toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-${versionAndA}-${variantAndB}-${rest}`
}

/** Stands before every id of that time or later, and after every earlier one. */
export function firstIdAt(at: Date): string {
  const time = timeOf(at)
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

const timeOf = (at: Date) => at.getTime().toString(16).padStart(12, '0')

/** The outer form: `showId('payment', id)` is `pay-…`. */
export function showId(kind: IdKind, id: string): string {
  let bits = BigInt(`0x${id.replaceAll('-', '')}`)
  let body = ''
  for (let i = 0; i < 26; i++) {
    body = alphabet[Number(bits & 31n)] + body
    bits >>= 5n
  }
  return `${idPrefixes[kind]}-${body}`
}

/** The inner form of an outer id, or `undefined` when the text is not an id of this kind. */
export function readId(kind: IdKind, text: string): string | undefined {
  const prefix = `${idPrefixes[kind]}-`
  if (text.length !== prefix.length + 26 || !text.startsWith(prefix)) return undefined
  let bits = 0n
  for (const character of text.slice(prefix.length)) {
    const value = alphabet.indexOf(character)
    if (value < 0) return undefined
    bits = (bits << 5n) | BigInt(value)
  }
  if (bits >> 128n) return undefined
  const hex = bits.toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** `count` random characters of Crockford base32. */
export function randomText(count: number): string {
  const bytes = randomFillSync(new Uint8Array(count))
  return Array.from(bytes, (byte) => alphabet[byte & 31]).join('')
}
