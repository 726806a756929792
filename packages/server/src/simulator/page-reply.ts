import { randomBytes } from 'node:crypto'
import { Eta } from 'eta'
import type { FastifyReply } from 'fastify'
import { compressOnTheFly, encodingOf } from '../platform/http/server/compression.ts'

const eta = new Eta({ autoEscape: true })
const compiled = new Map<string, ReturnType<Eta['compile']>>()

/**
 * Sends a page of the simulator with the headers that all of them share.
 *
 * @param template text of the page’s Eta template
 * @param allows returns directives to add to the content security policy
 */
export async function sendSimulatorPage(
  reply: FastifyReply,
  template: string,
  view: object,
  allows: (nonce: string) => string[],
) {
  const nonce = randomBytes(16).toString('base64url')
  const policy = ["default-src 'none'", ...allows(nonce), "base-uri 'none'", "frame-ancestors 'none'"]
  const page = compiled.get(template) ?? eta.compile(template)
  compiled.set(template, page)
  const html = eta.render(page, { ...view, nonce })
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
