import type { Platform } from '../../platform/platform.ts'

export const slice = {
  folder: 'money/fees',
  tables: ['fee_rules'],
  functions: ['fee_rules_terms'],
  operatorRoutes: {
    spaces: async (parts: Platform) => (await import('./routes.ts')).feeRoutes(parts),
    fees: async (parts: Platform) => (await import('./routes.ts')).customFeeRoutes(parts),
  },
}
