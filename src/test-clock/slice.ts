import type { Platform } from '../platform/platform.ts'

export const slice = {
  name: 'test-clock',
  routes: async (parts: Platform) => (await import('./routes.ts')).testClockRoutes(parts),
}
