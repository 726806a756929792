import type { Platform } from '../platform/platform.ts'
import type { Catalogue } from '../providers/catalogue.ts'

export const slice = {
  name: 'installation',
  async routes(parts: Platform & { catalogue: Catalogue }) {
    const { spaceRoutes } = await import('./space-routes.ts')
    const { feeRoutes } = await import('./fee-routes.ts')
    const { healthRoutes } = await import('./health-routes.ts')
    return [...spaceRoutes(parts), ...feeRoutes(parts), ...healthRoutes(parts)]
  },
}
