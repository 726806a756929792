import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { readId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { isEnvironment } from '../../platform/scope.ts'
import { findLogo, logoIds } from '../../tenants/spaces/brands.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'

/** Returns the route that serves Spaces' logos to visitors of their pages. */
export const logoRoute = ({ db }: Pick<Platform, 'db'>): RawRoute => ({
  kind: 'raw',
  method: 'GET',
  url: '/logos/:space/:environment/:logo',
  summary: 'Logo of a Space, as PNG',
  async handle(request, reply) {
    const { space = '', environment, logo = '' } = pathParams(request)
    const spaceId = readId(spaceIds, space)
    const id = logo.endsWith('.png') ? readId(logoIds, logo.slice(0, -4)) : undefined
    const found =
      spaceId && id && isEnvironment(environment)
        ? await db.within(spaceId, () => findLogo(db, { spaceId, environment }, id))
        : undefined
    reply.headers({
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      // Merchants can embed the logo in their own pages.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (!found) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such logo.\n')
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('image/png')
      .send(found.image)
  },
})
