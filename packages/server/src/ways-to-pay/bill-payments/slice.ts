import type { Gauge } from '../../platform/metrics.ts'
import type { BillOperatorParts } from './operator-routes.ts'
import type { BillParts } from './routes.ts'

const gauges: Gauge[] = [
  {
    name: 'pesewa_bill_payments_unallocated',
    help: 'Unallocated manual payments, counted up to ten thousand.',
    labelNames: ['environment'],
    readEach: async (db) => (await import('./store.ts')).countUnallocated(db),
  },
]

export const slice = {
  folder: 'ways-to-pay/bill-payments',
  tables: ['bill_payments', 'bill_pulls'],
  functions: ['bill_payment_terms', 'bill_payment_outcome', 'bill_payment_seal'],
  gauges,
  routes: async (parts: BillParts) => (await import('./routes.ts')).billRoutes(parts),
  operatorRoutes: {
    bills: async (parts: BillOperatorParts) =>
      (await import('./operator-routes.ts')).billOperatorRoutes(parts),
  },
  checks: async () => (await import('./checks.ts')).billChecks,
  personalData: async () => ({ records: [(await import('./personal-data.ts')).billRecords] }),
}
