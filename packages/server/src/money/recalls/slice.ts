import type { Gauge } from '../../platform/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { resources } from './resources.ts'

const gauges: Gauge[] = [
  {
    name: 'pesewa_recalls_open',
    help: 'Open recalls of payouts, counted up to ten thousand.',
    labelNames: ['environment'],
    readEach: async (db) => (await import('./store.ts')).countOpenRecalls(db),
  },
]

export const slice = {
  folder: 'money/recalls',
  tables: ['recalls'],
  functions: ['recall_terms', 'recall_outcome'],
  // Money that is returned reduces the amount paid out.
  settlementColumns: { recall: 'paidOut' as const },
  resources,
  gauges,
  tags: {
    recalls: 'Recalls of payouts that went to the wrong person.',
  },
  routes: async (parts: Platform) => (await import('./routes.ts')).recallRoutes(parts),
  personalData: async () => ({ obligations: [(await import('./personal-data.ts')).openRecalls] }),
  operatorRoutes: {
    cases: async () => (await import('./operator-routes.ts')).caseClosingRoutes(),
    recalls: async (parts: Platform) => (await import('./operator-routes.ts')).operatorRecallRoutes(parts),
  },
  checks: async () => (await import('./checks.ts')).recallChecks,
  postings: async () => [(await import('./checks.ts')).recallPostings],
  reconciled: async () => [(await import('./checks.ts')).reconciledRecalls],
}
