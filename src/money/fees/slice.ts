import type { Platform } from '../../platform/platform.ts'

export const slice = {
  folder: 'money/fees',
  tables: ['fee_rules'],
  functions: ['fee_rules_terms'],
  routes: async (parts: Platform) => (await import('./routes.ts')).feeRoutes(parts),
}
