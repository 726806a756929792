import type { Platform } from '../../platform/platform.ts'

export const slice = {
  folder: 'operations/test-clock',
  tags: {
    'test-clock': 'The clock of a Space in the test environment, which can be advanced.',
  },
  routes: async (parts: Platform) => (await import('./routes.ts')).testClockRoutes(parts),
}
