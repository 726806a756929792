import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../../platform/scope.ts'

/**
 * An access token consists of `psw_test_` or `psw_live_`, 32 random base62 characters and a checksum of 6
 * characters. Because of its fixed form, secret scanners recognize it; the checksum detects typos without a
 * database query.
 */
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^psw_(test|live)_[0-9A-Za-z]{38}$/
const checksumLength = 6

export function newToken(environment: Environment): string {
  const random = Array.from({ length: 32 }, () => base62[randomInt(62)]).join('')
  const start = `psw_${environment}_${random}`
  return start + checksum(start)
}

/** Returns whether a text has the form of a token and its checksum is correct. */
export function isToken(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/**
 * Returns the form in which a token or session cookie is stored, which is its SHA-256 hash. Because secrets
 * have at least 190 random bits, no slow hash is needed.
 */
export const hashSecret = (secret: string) => hash('sha256', secret, 'buffer')

function checksum(text: string): string {
  let value = crc32(text)
  let result = ''
  for (let i = 0; i < checksumLength; i++) {
    result = base62[value % 62] + result
    value = Math.floor(value / 62)
  }
  return result
}
