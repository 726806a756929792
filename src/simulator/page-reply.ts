import { randomBytes } from 'node:crypto'
import { Eta } from 'eta'
import type { FastifyReply } from 'fastify'
import { compressOnTheFly, encodingOf } from '../platform/http/server/compression.ts'

const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

/**
 * Sends a page of the simulator with the headers that all of them share. `allows` extends the content security
 * policy.
 */
export async function sendSimulatorPage(
  reply: FastifyReply,
  template: './rest/page' | './handsets/page',
  view: object,
  allows: (nonce: string) => string[],
) {
  const nonce = randomBytes(16).toString('base64url')
  const policy = ["default-src 'none'", ...allows(nonce), "base-uri 'none'", "frame-ancestors 'none'"]
  const html = eta.render(template, { ...view, nonce })
  // The page contains no secret that the length of its compressed form could reveal.
  const encoding = encodingOf(reply.request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .headers({
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      vary: 'accept-encoding',
    })
    .type('text/html; charset=utf-8')
    .send(encoding ? await compressOnTheFly[encoding](html) : html)
}
