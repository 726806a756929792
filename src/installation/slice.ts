import type { Platform } from '../platform/platform.ts'

export const slice = {
  name: 'installation',
  async routes(parts: Platform) {
    const { spaceRoutes } = await import('./space-routes.ts')
    const { feeRoutes } = await import('./fee-routes.ts')
    return [...spaceRoutes(parts), ...feeRoutes(parts)]
  },
}
