import { readFileSync } from 'node:fs'
import type { RawRoute } from '../platform/http/route.ts'
import { openUnchanging } from '../platform/http/unchanging.ts'

const file = new URL('pages/pesewa-checkout.js', import.meta.url)

/** `<pesewa-checkout>`, for pages of merchants: its address stays, so browsers ask within the hour whether it is still the same. */
export function componentRoute(): RawRoute {
  const send = openUnchanging(
    readFileSync(file, 'utf8'),
    'text/javascript; charset=utf-8',
    'accept-encoding',
    'public, max-age=3600',
  )
  return {
    kind: 'raw',
    method: 'GET',
    url: '/components/pesewa-checkout.js',
    summary: 'The web component <pesewa-checkout>',
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
