import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { serveStaticText } from '../../platform/http/server/static-text.ts'
import { assetRoute } from '../../platform/pages/asset-route.ts'
import { readConsoleFiles } from './files.ts'

/**
 * Returns the content security policy. It allows nothing from other origins. Frames show previews of the payment
 * page.
 */
const policyOf = (styleSource: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styleSource}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const notBuilt = 'The console has not been built. Install the development packages and run `npm start`.\n'

/**
 * Serves the files of the console. Every console URL gets the same page, whose code chooses the view from the
 * URL.
 */
export function consoleRoutes(): RawRoute[] {
  const files = readConsoleFiles()
  // Assets have new names in each build and can be cached. Browsers revalidate the page itself.
  const send = files && serveStaticText(files.page, 'text/html; charset=utf-8')
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
    { kind: 'raw', method: 'GET', url: '/console/*', summary: 'Page of the console', handle },
    ...(files?.assets ?? []).map((asset) => assetRoute(asset, 'Asset of the console')),
  ]
}
