import { constants, type KeyObject, publicEncrypt, X509Certificate } from 'node:crypto'
import { must } from '@pesewa/values'

/**
 * Encrypts our API operator's password so that only Safaricom can read it, using RSA with PKCS #1 v1.5 padding.
 * Returns base64.
 */
export function securityCredential({
  initiatorPassword,
  certificate,
}: Readonly<{ initiatorPassword: string; certificate: string }>): string {
  const key = must(encryptionKeyOf(certificate), 'key of a certificate')
  return publicEncrypt(
    { key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(initiatorPassword),
  ).toString('base64')
}

/**
 * Reads the public key from a certificate in PEM or plain base64; returns `undefined` if it contains no RSA
 * key. Ignores the expiry date, because Safaricom's certificates expired years ago and are still in use.
 */
export function encryptionKeyOf(certificate: string): KeyObject | undefined {
  const isPem = certificate.includes('-----BEGIN CERTIFICATE-----')
  try {
    const { publicKey } = new X509Certificate(isPem ? certificate : Buffer.from(certificate, 'base64'))
    return publicKey.asymmetricKeyType === 'rsa' ? publicKey : undefined
  } catch {
    return undefined
  }
}
