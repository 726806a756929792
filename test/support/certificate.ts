import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/**
 * Creates a self-signed certificate for a name, and its private key. They are created on each call, so that no
 * key is stored in the repository.
 */
export function createCertificate(name: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { cert: certify(name, publicKey, privateKey), key: pemOf(privateKey) }
}

/** Creates an RSA certificate for encryption, signed by an unrelated key, and its private key. */
export function createEncryptionCertificate(name: string, until: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { cert: certify(name, publicKey, signer.privateKey, until), key: pemOf(privateKey) }
}

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

function certify(name: string, publicKey: KeyObject, signer: KeyObject, until = '99991231235959Z'): string {
  const isFor = sequence(set(sequence(commonName, der(0x0c, Buffer.from(name)))))
  const alternativeName = sequence(subjectAlternativeName, der(0x04, sequence(der(0x82, Buffer.from(name)))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.of(1)),
    sequence(ecdsaWithSha256),
    isFor,
    sequence(time('20000101000000Z'), time(until)),
    isFor,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeName)),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, signer))
  const certificate = sequence(content, sequence(ecdsaWithSha256), signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** Encodes one ASN.1 value: its tag, its length and its parts. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const header = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const set = (...parts: Buffer[]) => der(0x31, ...parts)
const time = (text: string) => der(0x18, Buffer.from(text))

const commonName = Buffer.from('0603550403', 'hex')
const subjectAlternativeName = Buffer.from('0603551d11', 'hex')
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex')
