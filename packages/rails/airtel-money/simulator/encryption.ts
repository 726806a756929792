import { constants, createDecipheriv, privateDecrypt } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AirtelSettings } from '../settings.ts'
import { privateKey } from './test-key.ts'

/** Returns whether the signature in the headers matches the exact bytes that were received. */
export function isSigned({ headers, rawBody = Buffer.alloc(0) }: FastifyRequest): boolean {
  try {
    const how = decrypted(String(headers['x-key']), constants.RSA_PKCS1_PADDING).toString()
    const [key = '', iv = ''] = how.split(':')
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
    const signature = Buffer.from(String(headers['x-signature']), 'base64')
    return Buffer.concat([decipher.update(signature), decipher.final()]).equals(rawBody)
  } catch {
    return false
  }
}

/** Returns the decrypted PIN, or `undefined` if it cannot be decrypted. */
export function decryptPin(
  sealed: string,
  padding: AirtelSettings['pinPadding'] = 'pkcs1',
): string | undefined {
  try {
    const how = padding === 'oaep' ? constants.RSA_PKCS1_OAEP_PADDING : constants.RSA_PKCS1_PADDING
    return decrypted(sealed, how).toString()
  } catch {
    return undefined
  }
}

const decrypted = (text: string, padding: number) =>
  privateDecrypt({ key: privateKey, padding }, Buffer.from(text, 'base64'))
