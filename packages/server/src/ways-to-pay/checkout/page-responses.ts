import type { Encoding } from '@pesewa/pages'
import type { FastifyReply } from 'fastify'
import { acceptedValues } from '../../platform/http/lists/accept.ts'
import { compressAround, compressOnTheFly, type SharedPart } from '../../platform/http/server/compression.ts'
import { randomText } from '../../platform/ids.ts'
import type { Language } from './pages/language.ts'
import { pagePolicy } from './pages/policy.ts'

/**
 * Sends a page with the headers common to all pages. `redirectsTo` lists the URLs that its forms may redirect
 * to. `shared` is the part that has already been compressed. A preview can be framed by our own pages.
 */
export async function sendPage(
  reply: FastifyReply,
  language: Language,
  render: (nonce: string) => string,
  redirectsTo: string[] = [],
  shared?: SharedPart,
  options: { isPreview?: boolean } = {},
) {
  const nonce = newNonce()
  const { encoding, body } = await packPage(reply, render(nonce), shared)
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .headers({
      ...pageHeaders(nonce, redirectsTo, options),
      'content-language': language,
      vary: 'accept-language, accept-encoding, cookie',
    })
    .type('text/html; charset=utf-8')
    .send(body)
}

/**
 * Compresses a page. The response to a POST repeats the payer's input next to the form token, so its compressed
 * length could leak the token (BREACH). For such a response, only the shared part is compressed. Other pages do
 * not repeat any input. If the shared part has been compressed, gzip is preferred, because with brotli, the
 * whole page would have to be compressed again each time.
 */
async function packPage(
  { request }: FastifyReply,
  html: string,
  shared: SharedPart | undefined,
): Promise<{ encoding?: Encoding; body: string | Buffer }> {
  const accepted = acceptedValues(request.headers['accept-encoding'])
  const isPacked = request.method !== 'POST'
  if (shared && accepted.includes('gzip'))
    return { encoding: 'gzip', body: compressAround(html, shared, isPacked) }
  const encoding = isPacked && (['br', 'gzip'] as const).find((each) => accepted.includes(each))
  return encoding ? { encoding, body: await compressOnTheFly[encoding](html) } : { body: html }
}

/** Returns 130 random bits. */
const newNonce = () => randomText(26)

/** The headers of every response to a payer. */
export const pageHeaders = (
  nonce = newNonce(),
  redirectsTo: string[] = [],
  { isPreview = false }: { isPreview?: boolean } = {},
) => ({
  'content-security-policy': pagePolicy(nonce, redirectsTo, { isPreview }),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': isPreview ? 'SAMEORIGIN' : 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
})

/**
 * Redirects to one of our own pages or to a page of the merchant. The redirect must not be cached, because the
 * next visit may lead to another page.
 */
export const redirectTo = (reply: FastifyReply, url: string) =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url, 303)
