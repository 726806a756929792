import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { encodingOf, packNow } from '../platform/http/compression.ts'
import { languageOf } from './pages/language.ts'
import { pagePolicy } from './pages/policy.ts'

/** A page with the headers that all of them have. `redirectsTo` are the addresses its forms may lead to. */
export async function sendPage(
  reply: FastifyReply,
  render: (nonce: string) => string,
  redirectsTo: string[] = [],
) {
  const nonce = newNonce()
  const html = render(nonce)
  const encoding = pageEncoding(reply)
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .headers({
      ...pageHeaders(nonce, redirectsTo),
      'content-language': languageFor(reply),
      vary: 'accept-language, accept-encoding',
    })
    .type('text/html; charset=utf-8')
    .send(encoding ? await packNow[encoding](html) : html)
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

/**
 * The response to a POST repeats what was sent beside the form's token: compressed, its length could reveal the one through
 * the other (BREACH). All other pages repeat nothing of their request.
 */
const pageEncoding = ({ request }: FastifyReply) =>
  request.method === 'POST' ? undefined : encodingOf(request.headers['accept-encoding'])

/** Redirects to another page of ours or of the merchant's. Nothing is cached: the next visit may lead elsewhere. */
export const leadTo = (reply: FastifyReply, url: string) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url, 303)

/** The payer's language. */
export const languageFor = ({ request }: FastifyReply) => languageOf(request.headers['accept-language'])
