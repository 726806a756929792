import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Seals text that we hand out and must get back unaltered (cursors, page links, callback addresses). Each
 * purpose has its own signing key, so that a text sealed for one is useless for another.
 */
export type Seals = {
  /** `<payload>.<mac>` in base64url. */
  seal(purpose: string, payload: string): string
  /** Returns the payload, or `undefined` if the text was altered or sealed for another purpose. */
  open(purpose: string, sealed: string): string | undefined
  /** Returns 22 characters that prove `text` comes from us, for addresses with their own format. */
  tag(purpose: string, text: string): string
  /** Returns a keyed hash that reveals nothing about `text` and differs for every purpose. */
  fingerprint(purpose: string, text: string): string
}

const macBytes = 16

export function createSeals(secretKey: string): Seals {
  // Cached: creating a key from bytes takes five times as long as using it.
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
      // The decoder is lenient, so different texts can decode alike; only ours is accepted.
      return sameText(sealed, seal(purpose, payload)) ? payload : undefined
    },
    fingerprint: (purpose, text) => mac(purpose, text).subarray(0, 20).toString('base64url'),
  }
}

/** Compares in constant time, regardless of where the texts differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
