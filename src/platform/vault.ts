import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts data that we must read again but that database readers must not see, with a key derived from
 * `SECRET_KEY`.
 */
export type Vault = {
  /**
   * AES-256-GCM. `place`: where the data is stored; data encrypted for one place cannot be decrypted for
   * another.
   */
  lock(place: string, plain: Buffer): Buffer
  /** Throws if the data was altered, belongs elsewhere, or was encrypted with another key. */
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
