import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { RailSeals } from '@pesewa/connector-kit'
import type { RequestSigner } from './message-signatures.ts'

/** Returns this deployment's token for the simulated pawaPay. */
export const simulatorToken = (seals: RailSeals) => seals.tag('simulator', 'pawapay token')

/** Returns the key with which the simulated pawaPay signs its callbacks. */
export function simulatorSigner(seals: RailSeals): RequestSigner {
  return { key: privateKeyOf(seals), keyId: 'HTTP_EC_P256_KEY:1' }
}

/** Returns the public key as published by the simulated pawaPay. */
export function simulatorPublicKey(seals: RailSeals): { id: string; key: string } {
  const { key, keyId } = simulatorSigner(seals)
  return { id: keyId, key: String(createPublicKey(key).export({ type: 'spki', format: 'pem' })) }
}

/** Derives the key from the deployment's secret, so that all of its nodes sign with the same key. */
function privateKeyOf(seals: RailSeals): KeyObject {
  const half = (name: string) => seals.tag('simulator', `pawapay callback key ${name}`)
  const curve = createECDH('prime256v1')
  // The private key consists of 32 bytes and is smaller than the order of the curve.
  curve.setPrivateKey(Buffer.concat([Buffer.alloc(1), bytesOf(half('1')), bytesOf(half('2')).subarray(1)]))
  const point = curve.getPublicKey()
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const [x, y] = [text(point.subarray(1, 33)), text(point.subarray(33))]
  const d = text(Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()]).subarray(-32))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' })
}

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
