import type { Platform } from '../../platform/platform.ts'

export const slice = {
  folder: 'operations/case-files',
  routes: async (parts: Platform) => (await import('./routes.ts')).caseFileRoutes(parts),
}
