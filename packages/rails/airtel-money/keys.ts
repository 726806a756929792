import {
  constants,
  createCipheriv,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { createTokens, type IssuedToken, NoToken, parseFields } from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import { shown } from './documents.ts'
import type { Gateway } from './gateway.ts'
import type { AirtelSettings } from './settings.ts'

/**
 * A margin for `valid_upto`, which has no time zone: the local time in these countries is up to four hours
 * ahead of UTC.
 */
const zoneMarginMs = 4 * 3_600_000
const maxLifeMs = 24 * 3_600_000 // how long a rail's encryption key is used before it is fetched again

/**
 * Caches Airtel's public key, with which we encrypt PINs and sign messages, until the key expires.
 *
 * @throws NoToken from `current` if there is no key, in which case nothing was sent
 */
export const openKeys = (gateway: Gateway, currency: string) =>
  createTokens(() => requestKey(gateway, currency))

async function requestKey(gateway: Gateway, currency: string): Promise<IssuedToken> {
  const response = await gateway.exchange({ method: 'GET', path: '/v1/rsa/encryption-keys', currency })
  const { key, valid_upto } = fieldsOf(parseFields(response.body)?.data)
  if (response.status !== 200 || typeof key !== 'string' || !readKey(key))
    throw new NoToken(`no encryption key, ${shown(response)}`)
  return {
    token: key,
    lifeMs: Math.min(Math.max(0, endOf(valid_upto) - Date.now() - zoneMarginMs), maxLifeMs),
  }
}

/** Parses a time such as `12-08-2024 21:29:26`, which begins with the day. Returns 0 if the text cannot be read. */
function endOf(text: unknown): number {
  const [, day, month, year, time] =
    (typeof text === 'string' && /^(\d\d)-(\d\d)-(\d{4}) (\d\d:\d\d:\d\d)$/.exec(text)) || []
  return Date.parse(`${year}-${month}-${day}T${time}Z`) || 0
}

/** Reads a public RSA key in base64-encoded DER; returns `undefined` for anything else. */
export function readKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    return key.asymmetricKeyType === 'rsa' && bits >= 1024 && bits <= 8192 ? key : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the headers that sign a message: `x-signature` contains the encrypted bytes of the body, and `x-key`
 * contains the encryption key in a form that only Airtel can decrypt.
 */
export function signatureOf(key: KeyObject, body: string): Record<string, string> {
  const [secret, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-cbc', secret, iv)
  const signature = Buffer.concat([cipher.update(body), cipher.final()])
  const how = Buffer.from(`${secret.toString('base64')}:${iv.toString('base64')}`)
  return {
    'x-signature': signature.toString('base64'),
    'x-key': encrypted(key, how, constants.RSA_PKCS1_PADDING),
  }
}

export const encryptedPin = (key: KeyObject, pin: string, padding: AirtelSettings['pinPadding'] = 'pkcs1') =>
  encrypted(
    key,
    Buffer.from(pin),
    padding === 'oaep' ? constants.RSA_PKCS1_OAEP_PADDING : constants.RSA_PKCS1_PADDING,
  )

const encrypted = (key: KeyObject, content: Buffer, padding: number) =>
  publicEncrypt({ key, padding }, content).toString('base64')
