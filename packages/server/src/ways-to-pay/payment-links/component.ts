import { readFileSync } from 'node:fs'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { serveStaticText } from '../../platform/http/server/static-text.ts'

const file = new URL('pages/pesewa-checkout.js', import.meta.url)

/**
 * Serves the `<pesewa-checkout>` component for merchants' pages. Its URL never changes, so browsers may cache
 * the file for only an hour.
 */
export function componentRoute(): RawRoute {
  const send = serveStaticText(
    readFileSync(file, 'utf8'),
    'text/javascript; charset=utf-8',
    'accept-encoding',
    'public, max-age=3600',
  )
  return {
    kind: 'raw',
    method: 'GET',
    url: '/components/pesewa-checkout.js',
    summary: 'Serve the <pesewa-checkout> web component',
    handle: (request, reply) =>
      send(
        request,
        reply.headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        }),
      ),
  }
}
