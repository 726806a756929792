import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../platform/http/route.ts'
import { openUnchanging } from '../platform/http/unchanging.ts'
import { assetRoute } from '../platform/pages/assets.ts'
import { readConsoleFiles } from './files.ts'

/** Nothing from elsewhere, and in nobody's frame. Previews of checkout pages are drawn by the console itself. */
const policyOf = (styleSource: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleSource}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const notBuilt =
  'The console has not been built: `npm start` does that where its development packages are installed.\n'

/** The files of the console. Which page it is its own code decides, from the address. */
export function consoleRoutes(): RawRoute[] {
  const files = readConsoleFiles()
  // Its files have names of their own for each build: the page itself is asked for again.
  const send = files && openUnchanging(files.page, 'text/html; charset=utf-8')
  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    if (!files || !send) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt)
    reply.headers({
      'content-security-policy': policyOf(files.styleSource),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    return send(request, reply)
  }
  return [
    { kind: 'raw', method: 'GET', url: '/console', summary: 'The console', handle },
    { kind: 'raw', method: 'GET', url: '/console/*', summary: 'A page of the console', handle },
    ...(files?.assets ?? []).map((asset) => assetRoute(asset, 'A file of the console')),
  ]
}
