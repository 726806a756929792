import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { must } from '@pesewa/values'

// Implements Standard Webhooks: https://www.standardwebhooks.com

const minKeyBytes = 24
const maxKeyBytes = 64
const newKeyBytes = 32

/**
 * Decodes a secret that consists of `whsec_` and the base64 encoding of 24 to 64 bytes. Returns `undefined` if
 * it has another format.
 */
export function readSecret(text: string): Buffer | undefined {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  if (encoded === undefined) return undefined
  const key = Buffer.from(encoded, 'base64')
  const isWhole = key.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  return isWhole && key.length >= minKeyBytes && key.length <= maxKeyBytes ? key : undefined
}

const plainSecret = /^[\x20-\x7e]{32,256}$/

/**
 * Returns whether merchants may choose this secret. It must consist of `whsec_` and base64, or of 32 to 256
 * printable ASCII characters, which are then the key itself.
 */
export const isSecret = (text: string) =>
  text.startsWith('whsec_') ? readSecret(text) !== undefined : plainSecret.test(text)

export const newSecret = () => `whsec_${randomBytes(newKeyBytes).toString('base64')}`

/**
 * Generates a key pair. The private key is in PKCS #8, and the public key is `whpk_` followed by the base64
 * encoding of its 32 bytes.
 */
export function newKeyPair(): { privateKey: Buffer; publicKey: string } {
  const pair = generateKeyPairSync('ed25519')
  const { x } = pair.publicKey.export({ format: 'jwk' })
  return {
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
    publicKey: `whpk_${Buffer.from(must(x, 'point in a public key'), 'base64url').toString('base64')}`,
  }
}

const signedContent = (id: string, timestamp: number, body: string) => `${id}.${timestamp}.${body}`

/** Returns an HMAC-SHA256 signature in the form `v1,…`. `timestamp` is in seconds. */
export const signHs256 = (key: Buffer, id: string, timestamp: number, body: string): string =>
  `v1,${createHmac('sha256', key)
    .update(signedContent(id, timestamp, body))
    .digest('base64')}`

/** Returns an ed25519 signature in the form `v1a,…`. `privateKey` is in PKCS #8, and `timestamp` is in seconds. */
export function signEd25519(privateKey: Buffer, id: string, timestamp: number, body: string): string {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })
  return `v1a,${sign(null, Buffer.from(signedContent(id, timestamp, body)), key).toString('base64')}`
}
