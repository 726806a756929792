import { PesewaError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'
import { parseJson } from './json.ts'

/** The request did not come from the service, was altered, or is too old. */
export class WebhookVerificationError extends PesewaError {
  override name = 'WebhookVerificationError'
}

/**
 * The webhook's secret (`whsec_…` or any other string that you have set) or, if it signs with ED25519, its
 * public key (`whpk_…`). During a rotation, pass several.
 */
export type Secrets = string | readonly string[]

type Raw = string | Uint8Array | ArrayBuffer
type HeaderSource = Headers | Record<string, string | string[] | undefined>

/**
 * Maximum difference between a timestamp and the current time, as specified by
 * https://www.standardwebhooks.com, which also defines the signature scheme.
 */
const toleranceSeconds = 300

/**
 * Verifies the signature of an event and returns the event.
 *
 * @param input a web `Request`, or the raw body before any parsing
 * @param headers headers of the request; not needed with a `Request`
 * @param secrets secrets of the webhook, as shown when it was created
 * @throws WebhookVerificationError if the event is not authentic; TypeError with instructions if the body has
 * already been parsed
 */
export async function verifyWebhook(input: Request, secrets: Secrets): Promise<WebhookEvent>
export async function verifyWebhook(
  input: Raw,
  headers: HeaderSource,
  secrets: Secrets,
): Promise<WebhookEvent>
export async function verifyWebhook(
  input: Request | Raw,
  ...rest: [Secrets] | [HeaderSource, Secrets]
): Promise<WebhookEvent> {
  const [headers, secrets] = isRequest(input) ? [input.headers, rest[0]] : [rest[0], rest[1]]
  const own = checkSecrets(secrets as Secrets)
  const body = isRequest(input) ? await readRequestText(input) : decodeBody(input)
  const header = (name: string) => headerOf(headers as HeaderSource, name)
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!id || !/^\d+$/.test(timestamp) || !(age <= toleranceSeconds))
    throw new WebhookVerificationError(
      'The webhook has no ID, or its timestamp is more than five minutes from the current time.',
    )
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = header('webhook-signature').split(' ')
  for (const secret of own)
    for (const signature of signatures) if (await isSigned(content, signature, secret)) return eventIn(body)
  throw new WebhookVerificationError('The signature of the webhook does not match any of the secrets.')
}

/**
 * Returns the secrets as a list.
 *
 * @throws TypeError if there are none
 */
export function checkSecrets(secrets: Secrets): readonly string[] {
  const own = typeof secrets === 'string' ? [secrets] : (secrets ?? [])
  if (own.length === 0 || own.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('A secret is required. It was shown when the webhook was created.')
  return own
}

const isRequest = (input: unknown): input is Request =>
  typeof Request === 'function' && input instanceof Request

async function readRequestText({ bodyUsed, body }: Request): Promise<string> {
  if (bodyUsed) throw notRawBody('The body of this Request has already been read')
  return body ? decodeBody(await readBytes(body)) : ''
}

function decodeBody(input: unknown): string {
  if (typeof input === 'string') return input
  if (input instanceof Uint8Array || input instanceof ArrayBuffer) return new TextDecoder().decode(input)
  const isOfFramework =
    typeof input === 'object' && input !== null && ('req' in input || 'raw' in input || 'socket' in input)
  throw notRawBody(
    isOfFramework ? 'This is a framework’s request object, not its body' : 'The body has already been parsed',
  )
}

const notRawBody = (what: string) =>
  new TypeError(
    [
      `${what}. The signature can only be verified against the raw bytes. Pass the raw body:`,
      "Express: app.post('/hook', express.raw({ type: '*/*' }), …) before express.json(), then req.body and req.headers",
      "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body)), then request.body and request.headers",
      'Next.js: in a route handler, the unread request itself; in pages/api, config = { api: { bodyParser: false } } and the stream',
      'Hono: c.req.raw',
      'Or use an adapter: pesewa/express, pesewa/fastify, pesewa/next, pesewa/hono.',
    ].join('\n'),
  )

const maxBytes = 1_048_576

/**
 * Reads the raw body of the request.
 *
 * @throws WebhookVerificationError if it is larger than any event can be
 */
export async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) throw new WebhookVerificationError('The body of the webhook is too large.')
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

function headerOf(headers: HeaderSource | undefined, name: string): string {
  if (!headers) throw new TypeError('headers are required, unless the input is a Request')
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return [value ?? ''].flat().join(' ')
}

async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signature: string,
  secret: string,
): Promise<boolean> {
  const [version, encoded = ''] = signature.split(',')
  const bytes = decodeBase64(encoded)
  if (!bytes) return false
  if (secret.startsWith('whpk_')) {
    const raw = decodeBase64(secret.slice('whpk_'.length))
    if (version !== 'v1a' || !raw) return false
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
    return crypto.subtle.verify('Ed25519', key, bytes, content)
  }
  if (version !== 'v1') return false
  const raw = secret.startsWith('whsec_')
    ? decodeBase64(secret.slice('whsec_'.length))
    : new TextEncoder().encode(secret)
  if (!raw) return false
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', raw, hmac, false, ['verify'])
  // This comparison takes constant time.
  return crypto.subtle.verify('HMAC', key, bytes, content)
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function eventIn(body: string): WebhookEvent {
  try {
    // Safe: the service signed the event, so it has the declared type.
    return parseJson(body) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError('The body of the webhook is not JSON.', { cause })
  }
}
