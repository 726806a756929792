import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { acceptedBy } from '../platform/http/accept.ts'
import { type Encoding, packAround, packNow, type SharedPart } from '../platform/http/compression.ts'
import { languageOf } from './pages/language.ts'
import { pagePolicy } from './pages/policy.ts'

/**
 * A page with the headers that all of them have. `redirectsTo` are the addresses its forms may lead to; `shared`: the part of
 * it that is packed already.
 */
export async function sendPage(
  reply: FastifyReply,
  render: (nonce: string) => string,
  redirectsTo: string[] = [],
  shared?: SharedPart,
) {
  const nonce = newNonce()
  const { encoding, body } = await packPage(reply, render(nonce), shared)
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .headers({
      ...pageHeaders(nonce, redirectsTo),
      'content-language': languageFor(reply),
      vary: 'accept-language, accept-encoding',
    })
    .type('text/html; charset=utf-8')
    .send(body)
}

/**
 * The response to a POST repeats what was sent beside the form's token: compressed, its length could reveal the one through
 * the other (BREACH), so that no more than the shared part is. All other pages repeat nothing of their request. gzip comes first
 * where a part is packed already: brotli would pack all of the page each time.
 */
async function packPage(
  { request }: FastifyReply,
  html: string,
  shared: SharedPart | undefined,
): Promise<{ encoding?: Encoding; body: string | Buffer }> {
  const accepted = acceptedBy(request.headers['accept-encoding'])
  const isPacked = request.method !== 'POST'
  if (shared && accepted.includes('gzip'))
    return { encoding: 'gzip', body: packAround(html, shared, isPacked) }
  const encoding = isPacked && (['br', 'gzip'] as const).find((each) => accepted.includes(each))
  return encoding ? { encoding, body: await packNow[encoding](html) } : { body: html }
}

const newNonce = () => randomBytes(16).toString('base64url')

/** The headers of every response to a payer. */
export const pageHeaders = (nonce = newNonce(), redirectsTo: string[] = []) => ({
  'content-security-policy': pagePolicy(nonce, redirectsTo),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
})

/** Redirects to another page of ours or of the merchant's. Nothing is cached: the next visit may lead elsewhere. */
export const leadTo = (reply: FastifyReply, url: string) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url, 303)

/** The payer's language. */
export const languageFor = ({ request }: FastifyReply) => languageOf(request.headers['accept-language'])
