import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'
import { must } from '@pesewa/values'
import { type Encryption, MissingKeysError } from '../db/encryption.ts'
import type { Scope } from '../scope.ts'

/** The unwrapped keys of a Space. */
export type SpaceKeys = {
  /** The key of the look-up hashes, which stays the same when the data key is rotated. */
  hashKey: Buffer
  /** The data keys by generation, those that can decrypt. */
  dataKeys: Map<number, Buffer>
  /** The generation with which new values are encrypted. */
  generation: number
}

export type Keyring = Encryption & {
  /** Replaces all keys in memory. */
  replace(state: { isOn: boolean; version: number; keys: Map<string, SpaceKeys> }): void
  /** Returns the version of the keys in memory. It changes whenever keys are replaced. */
  version(): number | undefined
  /** Adds the keys of Spaces. */
  add(keys: Map<string, SpaceKeys>): void
}

const cipher = 'aes-256-gcm'
const formatVersion = 1
const headerBytes = 3
const nonceBytes = 12
const tagBytes = 16
const hashBytes = 16
const scopeBytes = 20
const maxCachedHashes = 20_000 // keyed hashes kept in memory

type Prepared = { hashKey: KeyObject; ciphers: Map<number, KeyObject>; generation: number }

/**
 * Encrypts with the keys in memory. An encrypted value consists of a version (1 byte), the generation of the data key
 * (2 bytes), a nonce (12 bytes), the ciphertext and a tag (16 bytes). Its place, Space and environment are authenticated.
 */
export function createKeyring(
  load: (keyring: Keyring, ...wanted: Parameters<Encryption['load']>) => Promise<void>,
): Keyring {
  let isOn: boolean | undefined
  let version: number | undefined
  let keys = new Map<string, SpaceKeys>()
  const prepared = new Map<string, Prepared>()
  const hashes = new Map<string, string>()
  const keysOf = (spaceId: string): Prepared => {
    const ready = prepared.get(spaceId)
    if (ready) return ready
    const stored = keys.get(spaceId)
    if (!stored) throw new MissingKeysError([spaceId])
    const found = prepare(stored)
    prepared.set(spaceId, found)
    return found
  }

  const keyring: Keyring = {
    isOn() {
      if (isOn === undefined) throw new MissingKeysError([])
      return isOn
    },
    hash(scope, value) {
      // Without encryption, no row has a hash. Creating keys would be pointless.
      if (!keyring.isOn()) return noHash
      const name = `${scope.spaceId} ${scope.environment} ${value}`
      const known = hashes.get(name)
      if (known !== undefined) return known
      const hash = createHmac('sha256', keysOf(scope.spaceId).hashKey)
        .update(`${scope.environment} ${value}`)
        .digest()
        .toString('base64url', 0, hashBytes)
      if (hashes.size >= maxCachedHashes) hashes.clear()
      hashes.set(name, `#${hash}`)
      return `#${hash}`
    },
    encrypt(place, scope, value) {
      const { ciphers, generation } = keysOf(scope.spaceId)
      const plain = Buffer.from(value)
      const encrypted = Buffer.allocUnsafe(headerBytes + nonceBytes + plain.length + tagBytes)
      encrypted.writeUInt8(formatVersion, 0)
      encrypted.writeUInt16BE(generation, 1)
      const nonce = randomFillSync(encrypted.subarray(headerBytes, headerBytes + nonceBytes))
      const key = must(ciphers.get(generation), 'data key')
      const encrypting = createCipheriv(cipher, key, nonce).setAAD(authenticated(place, scope))
      encrypting.update(plain).copy(encrypted, headerBytes + nonceBytes)
      encrypting.final()
      encrypting.getAuthTag().copy(encrypted, encrypted.length - tagBytes)
      return encrypted
    },
    decrypt(selected) {
      const scopeAt = selected.indexOf(0x20) + 1
      const aad = selected.subarray(0, scopeAt + scopeBytes)
      const spaceId = uuidAt(selected, scopeAt)
      const value = selected.subarray(scopeAt + scopeBytes)
      if (value.length < headerBytes + nonceBytes + tagBytes || value[0] !== formatVersion)
        throw new Error('an encrypted value is damaged')
      const key = keysOf(spaceId).ciphers.get(value.readUInt16BE(1))
      if (!key) throw new MissingKeysError([spaceId])
      const end = value.length - tagBytes
      const decrypting = createDecipheriv(cipher, key, value.subarray(headerBytes, headerBytes + nonceBytes))
        .setAAD(aad)
        .setAuthTag(value.subarray(end))
      return Buffer.concat([
        decrypting.update(value.subarray(headerBytes + nonceBytes, end)),
        decrypting.final(),
      ]).toString()
    },
    require(spaceIds) {
      const missing = new Set<string>()
      for (const spaceId of spaceIds) if (!keys.has(spaceId)) missing.add(spaceId)
      if (missing.size > 0) throw new MissingKeysError([...missing])
    },
    version: () => version,
    load: (...wanted) => load(keyring, ...wanted),
    replace(state) {
      isOn = state.isOn
      version = state.version
      keys = state.keys
      prepared.clear()
      hashes.clear()
    },
    add(added) {
      for (const [spaceId, each] of added) keys.set(spaceId, each)
      for (const spaceId of added.keys()) prepared.delete(spaceId)
    },
  }
  return keyring
}

/** What no column contains. */
const noHash = '#'

/** The keys that are used are derived from the stored ones, so that each has one purpose. */
const derive = (key: Buffer, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key, 'pesewa', purpose, 32)))

const prepare = ({ hashKey, dataKeys, generation }: SpaceKeys): Prepared => ({
  hashKey: derive(hashKey, 'look-up hash'),
  ciphers: new Map([...dataKeys].map(([number, key]) => [number, derive(key, 'personal data')])),
  generation,
})

/** Returns what `selectEncrypted` selects in front of a value: `payments.payer_account `, the Space and the environment. */
const authenticated = (place: string, { spaceId, environment }: Scope) =>
  Buffer.concat([
    Buffer.from(`${place} `),
    Buffer.from(spaceId.replaceAll('-', ''), 'hex'),
    Buffer.from(environment),
  ])

function uuidAt(buffer: Buffer, at: number): string {
  const hex = buffer.toString('hex', at, at + 16)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
