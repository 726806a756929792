import type { Platform } from '../../platform/platform.ts'

export type DocsSliceParts = Platform & { openApi(): object }

export const slice = {
  folder: 'operations/docs',
  routes: async (parts: DocsSliceParts) => {
    const [{ openLibrary, openSite }, { docsRoutes }] = await Promise.all([
      import('@pesewa/docs'),
      import('./routes.ts'),
    ])
    return docsRoutes({
      site: openSite({ openLibrary, openApi: parts.openApi, isServed: true }),
      limits: parts,
    })
  },
}
