import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what must be read again but not by whoever reads the database: under a key made of `SECRET_KEY`. */
export type Vault = {
  /** AES-256-GCM. `place` says where it is stored: what was locked for one place opens in no other. */
  lock(place: string, plain: Buffer): Buffer
  /** Throws when it was altered, belongs elsewhere, or was locked under another key. */
  unlock(place: string, locked: Buffer): Buffer
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

export function createVault(secretKey: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'pesewa', 'vault', 32))
  return {
    lock(place, plain) {
      const iv = randomBytes(ivBytes)
      const locking = createCipheriv(cipher, key, iv).setAAD(Buffer.from(place))
      return Buffer.concat([iv, locking.update(plain), locking.final(), locking.getAuthTag()])
    },
    unlock(place, locked) {
      const end = locked.length - tagBytes
      const unlocking = createDecipheriv(cipher, key, locked.subarray(0, ivBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(locked.subarray(end))
      return Buffer.concat([unlocking.update(locked.subarray(ivBytes, end)), unlocking.final()])
    },
  }
}
