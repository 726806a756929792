import type { RawRoute } from '../../platform/http/commands/route.ts'
import type { Catalogue } from './catalogue.ts'
import { logosPath } from './logos.ts'

/**
 * Serves the logos of providers and card networks to our pages and to merchants' pages. A logo has two paths. The
 * one from the catalogue contains a hash of the image, so the image is cached permanently. The other one contains
 * the provider's id, such as `/provider-logos/m17`, for pages that know only the id.
 */
export function providerLogoRoute({ logos }: Pick<Catalogue, 'logos'>): RawRoute {
  const byId = logos()
  const byPath = new Map([...byId.values()].map((logo) => [logo.path, logo]))
  return {
    kind: 'raw',
    method: 'GET',
    url: `${logosPath}/:logo`,
    summary: 'Logo of a provider, as SVG or PNG',
    async handle(request, reply) {
      const [place = ''] = request.url.split('?')
      const permanent = byPath.get(place)
      const logo = permanent ?? byId.get(place.slice(logosPath.length + 1))
      reply.headers({
        // An SVG that is opened on its own could otherwise load files and run scripts.
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      })
      if (!logo) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such logo.\n')
      return reply
        .header('cache-control', permanent ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
        .type(logo.type)
        .send(logo.image)
    },
  }
}
