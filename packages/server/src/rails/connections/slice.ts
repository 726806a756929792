import type { Catalogue } from './catalogue.ts'

export const slice = {
  folder: 'rails/connections',
  counters: () => import('./metrics.ts'),
  routes: async ({ catalogue }: { catalogue: Catalogue }) => [
    (await import('./logo-route.ts')).providerLogoRoute(catalogue),
  ],
}
