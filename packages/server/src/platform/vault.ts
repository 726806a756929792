import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts data that we must be able to read again but that people with access to the database must not see.
 * The key is derived from `SECRET_KEY`.
 */
export type Vault = {
  /**
   * Encrypts data with AES-256-GCM. `place` identifies where the data is stored. Data encrypted for one place
   * cannot be decrypted for another.
   */
  lock(place: string, plain: Buffer): Buffer
  /**
   * Decrypts data. Throws an error if the data was altered, belongs to another place, or was encrypted with
   * another key.
   */
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
