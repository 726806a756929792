import { constants, createHash, type KeyObject, sign, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

// Implements the parts of HTTP Message Signatures (RFC 9421) and Digest Fields (RFC 9530) that pawaPay uses.

/** The parts of a request that can be signed. */
export type SignedRequest = {
  method: string
  /** Host and port, as in the `Host` header. */
  authority: string
  /** The path without the query string. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export type RequestSigner = { key: KeyObject; keyId: string }

const label = 'sig-pp'
const lifeSeconds = 60
const signedComponents = [
  ...['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type', 'content-length'],
]

/** Returns the headers of a signed request with a JSON body. */
export function signRequest(
  { key, keyId }: RequestSigner,
  { method, url, body }: { method: string; url: string; body: string },
  at = new Date(),
): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'content-digest': `sha-512=:${digestOf('sha512', body)}:`,
    'signature-date': at.toISOString(),
  }
  const { host, pathname } = new URL(url)
  const [algorithm = ''] = algorithmsOf(key)
  const created = BigInt(at.getTime()) / 1000n
  const listed = signedComponents.map((name) => `"${name}"`).join(' ')
  const params = `(${listed});alg="${algorithm}";keyid="${keyId}";created=${created};expires=${created + BigInt(lifeSeconds)}`
  const request = { method, authority: host, path: pathname, headers, body: Buffer.from(body) }
  const base = signatureBaseOf(request, signedComponents, params) ?? ''
  const signature = sign(hashes[algorithm] ?? null, Buffer.from(base), { key, ...paddings[algorithm] })
  return {
    ...headers,
    signature: `${label}=:${signature.toString('base64')}:`,
    'signature-input': `${label}=${params}`,
  }
}

/** The parsed `Signature-Input` header of a request. */
export type SignatureInput = {
  label: string
  components: string[]
  /** The parameters exactly as received, because this text is part of what is signed. */
  params: string
  algorithm: string | undefined
  keyId: string
  createdMs: number
  expiresMs: number | undefined
}

const maxInputLength = 2_000

/** Parses a `Signature-Input` header in the only form that pawaPay uses; returns `undefined` for any other form. */
export function readSignatureInput(header: unknown): SignatureInput | undefined {
  if (typeof header !== 'string' || header.length > maxInputLength) return undefined
  const [, name = '', params = '', list = '', rest = ''] =
    /^([a-z][a-z0-9_-]{0,31})=(\(((?:"[a-z@-]+" ?)*)\)((?:;[a-z]+=(?:"[\x20\x21\x23-\x5b\x5d-\x7e]*"|[0-9]+))*))$/.exec(
      header,
    ) ?? []
  const said = Object.fromEntries(
    [...rest.matchAll(/;([a-z]+)=(?:"([^"]*)"|([0-9]+))/g)].map(([, key, text, number]) => [
      key,
      text ?? number,
    ]),
  )
  const createdMs = millisecondsOf(said.created)
  if (said.keyid === undefined || createdMs === undefined) return undefined
  return {
    label: name,
    components: [...list.matchAll(/"([^"]+)"/g)].map(([, component = '']) => component),
    params,
    algorithm: said.alg,
    keyId: said.keyid,
    createdMs,
    expiresMs: millisecondsOf(said.expires),
  }
}

const millisecondsOf = (seconds: string | undefined) =>
  seconds !== undefined && /^[0-9]{1,12}$/.test(seconds) ? Number(seconds) * 1000 : undefined

/** The parts of a request that must be signed, so that a signature cannot be copied from another request. */
const neededComponents = ['@method', '@authority', '@path', 'content-digest']

/** How far the times in a signature may be before or after our own time. */
const windowMs = 300_000 // how far the times of a signed callback may differ from ours

/** Returns whether all required parts of a request were recently signed with the given key. */
export function isSignedBy(
  request: SignedRequest,
  input: SignatureInput,
  key: KeyObject,
  nowMs = Date.now(),
): boolean {
  const { components, params, createdMs, expiresMs = createdMs } = input
  if (!neededComponents.every((name) => components.includes(name))) return false
  if (createdMs > nowMs + windowMs || Math.max(createdMs, expiresMs) < nowMs - windowMs) return false
  const base = signatureBaseOf(request, components, params)
  const signature = signatureOf(request.headers.signature, input.label)
  if (base === undefined || signature === undefined || !hasDigestOfBody(request)) return false
  return isSignatureOf(base, signature, key, input.algorithm)
}

function signatureOf(header: unknown, name: string): Buffer | undefined {
  const [, label, encoded] =
    (typeof header === 'string' && /^([a-z0-9_-]{1,32})=:([A-Za-z0-9+/=]{1,2000}):$/.exec(header)) || []
  return label === name && encoded !== undefined ? Buffer.from(encoded, 'base64') : undefined
}

/**
 * Returns whether the request contains at least one digest of a known type and every such digest matches the
 * body.
 */
function hasDigestOfBody({ headers, body }: SignedRequest): boolean {
  const members = String(headers['content-digest'] ?? '').split(/, */)
  const computed = members.flatMap((member) => {
    const [, bits, encoded] = /^sha-(256|512)=:([A-Za-z0-9+/=]+):$/.exec(member) ?? []
    return bits === undefined ? [] : [encoded === digestOf(`sha${bits}`, body)]
  })
  return computed.length > 0 && computed.every((isRight) => isRight)
}

const digestOf = (hash: string, body: string | Buffer) => createHash(hash).update(body).digest('base64')

/** Returns the text to sign, or `undefined` if any of the listed components is missing from the request. */
export function signatureBaseOf(
  request: SignedRequest,
  components: string[],
  params: string,
): string | undefined {
  const lines = components.map((name) => {
    const value = componentOf(request, name)
    return value === undefined ? undefined : `"${name}": ${value}`
  })
  if (lines.includes(undefined) || new Set(components).size < components.length) return undefined
  return [...lines, `"@signature-params": ${params}`].join('\n')
}

function componentOf({ method, authority, path, headers }: SignedRequest, name: string): string | undefined {
  if (name === '@method') return method
  if (name === '@authority') return authority.toLowerCase()
  if (name === '@path') return path
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}

const hashes: Readonly<Record<string, string>> = {
  'ecdsa-p256-sha256': 'sha256',
  'ecdsa-p384-sha384': 'sha384',
  'rsa-pss-sha512': 'sha512',
  'rsa-v1_5-sha256': 'sha256',
}
const paddings: Readonly<Record<string, { padding: number; saltLength?: number }>> = {
  'rsa-pss-sha512': { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
  'rsa-v1_5-sha256': { padding: constants.RSA_PKCS1_PADDING },
}

const minModulusLength = 2_048

/**
 * Returns the algorithms that a key supports, beginning with the one for our own signatures. The list is empty
 * if pawaPay does not support the key.
 */
export function algorithmsOf({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): string[] {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (type === 'rsa') return modulusLength < minModulusLength ? [] : ['rsa-pss-sha512', 'rsa-v1_5-sha256']
  const curves: Readonly<Record<string, string[]>> = {
    prime256v1: ['ecdsa-p256-sha256'],
    secp384r1: ['ecdsa-p384-sha384'],
  }
  return (type === 'ec' && curves[namedCurve]) || []
}

/**
 * Verifies a signature. ECDSA signatures occur in two formats: DER, which pawaPay uses, and the two
 * concatenated numbers that the RFC specifies.
 */
export function isSignatureOf(base: string, signature: Buffer, key: KeyObject, algorithm?: string): boolean {
  const possible = algorithmsOf(key)
  const used = algorithm === undefined ? possible : possible.filter((each) => each === algorithm)
  const encodings = ['der', 'ieee-p1363'] as const
  return used.some((each) =>
    encodings.some((dsaEncoding) =>
      verify(hashes[each], Buffer.from(base), { key, dsaEncoding, ...paddings[each] }, signature),
    ),
  )
}
