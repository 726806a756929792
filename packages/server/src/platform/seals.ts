import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { sameText } from '@pesewa/values'

/**
 * Seals texts that we hand out and must get back unaltered (cursors, page links, callback URLs). Each purpose
 * has a separate signing key, so that a text sealed for one purpose is not valid for another.
 */
export type Seals = {
  /** Returns the sealed text: `<payload>.<mac>`, both in base64url. */
  seal(purpose: string, payload: string): string
  /** Returns the payload, or `undefined` if the text was altered or sealed for another purpose. */
  open(purpose: string, sealed: string): string | undefined
  /**
   * Returns 22 characters that prove that we issued `text`, for URLs and other values that have a format of
   * their own.
   */
  tag(purpose: string, text: string): string
  /** Returns a keyed hash that reveals nothing about `text` and is different for every purpose. */
  fingerprint(purpose: string, text: string): string
}

const macBytes = 16

export function createSeals(secretKey: string): Seals {
  // Keys are cached, because creating a key from bytes takes five times as long as using it.
  const keys = new Map<string, KeyObject>()
  const keyOf = (purpose: string) => {
    let key = keys.get(purpose)
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, 'pesewa', purpose, 32)))
      if (keys.size < 1000) keys.set(purpose, key)
    }
    return key
  }
  const mac = (purpose: string, payload: string) =>
    createHmac('sha256', keyOf(purpose)).update(payload).digest()

  const tag = (purpose: string, text: string) =>
    mac(purpose, text).subarray(0, macBytes).toString('base64url')

  const seal = (purpose: string, payload: string) =>
    `${Buffer.from(payload).toString('base64url')}.${tag(purpose, payload)}`

  return {
    tag,
    seal,
    open(purpose, sealed) {
      const [encoded = ''] = sealed.split('.', 1)
      const payload = Buffer.from(encoded, 'base64url').toString()
      // The decoder is lenient and may decode different texts to the same payload. Only the text that we issued
      // is accepted.
      return sameText(sealed, seal(purpose, payload)) ? payload : undefined
    },
    fingerprint: (purpose, text) => mac(purpose, text).subarray(0, 20).toString('base64url'),
  }
}
