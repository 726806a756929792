import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Seals: text that we hand out and want back unaltered (cursors, page links, callback addresses). Each purpose has
 * a key of its own, so that what was sealed for one is worthless for another.
 */
export type Seals = {
  /** `<payload>.<mac>` in base64url. */
  seal(purpose: string, payload: string): string
  /** The payload, or `undefined` when the text was altered or sealed for something else. */
  open(purpose: string, sealed: string): string | undefined
  /** A keyed hash that reveals nothing of `text` and is of no use with another purpose. */
  fingerprint(purpose: string, text: string): string
}

const macBytes = 16

export function createSeals(secretKey: string): Seals {
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: string) => {
    let key = keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secretKey, 'pesewa', purpose, 32))
      if (keys.size < 1000) keys.set(purpose, key)
    }
    return key
  }
  const mac = (purpose: string, payload: string) => createHmac('sha256', keyOf(purpose)).update(payload).digest()

  return {
    seal(purpose, payload) {
      const tag = mac(purpose, payload).subarray(0, macBytes).toString('base64url')
      return `${Buffer.from(payload).toString('base64url')}.${tag}`
    },
    open(purpose, sealed) {
      const [body, tag, ...rest] = sealed.split('.')
      if (body === undefined || tag === undefined || rest.length > 0) return undefined
      const payload = Buffer.from(body, 'base64url').toString()
      const given = Buffer.from(tag, 'base64url')
      const expected = mac(purpose, payload).subarray(0, macBytes)
      return given.length === macBytes && timingSafeEqual(given, expected) ? payload : undefined
    },
    fingerprint: (purpose, text) => mac(purpose, text).subarray(0, 20).toString('base64url'),
  }
}
