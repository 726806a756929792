import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Seals: text that we hand out and want back unaltered (cursors, page links, callback addresses). Each purpose has
 * a key of its own, so that what was sealed for one is worthless for another.
 */
export type Seals = {
  /** `<payload>.<mac>` in base64url. */
  seal(purpose: string, payload: string): string
  /** The payload, or `undefined` when the text was altered or sealed for something else. */
  open(purpose: string, sealed: string): string | undefined
  /** 22 characters that prove `text` comes from us, for addresses with a form of their own. */
  tag(purpose: string, text: string): string
  /** A keyed hash that reveals nothing of `text` and is of no use with another purpose. */
  fingerprint(purpose: string, text: string): string
}

const macBytes = 16

export function createSeals(secretKey: string): Seals {
  // Made ready once: from bytes, a key takes five times as long as what it is for.
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
      // The decoder forgives: other texts read the same, and are not the one we made.
      return sameText(sealed, seal(purpose, payload)) ? payload : undefined
    },
    fingerprint: (purpose, text) => mac(purpose, text).subarray(0, 20).toString('base64url'),
  }
}

/** Compares in a time that does not depend on where two texts differ. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
