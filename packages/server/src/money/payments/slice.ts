import type { Platform } from '../../platform/platform.ts'
import type { InstructionParts } from '../../rails/instructions/parts.ts'
import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { PaymentOrigins } from './follower.ts'
import { resources } from './resources.ts'
import { type PaymentSettings, settings } from './settings.ts'

export const slice = {
  folder: 'money/payments',
  tables: ['orders', 'payments', 'receipts', 'redemptions', 'asked_phones'],
  functions: ['order_terms', 'refuse_order_number', 'payment_terms', 'payment_outcome', 'payment_seal'],
  settings,
  resources,
  permissions: [...readAndWrite('payments', 'money in'), ...readAndWrite('receipts', 'money in')],
  tags: {
    payments: 'Money collected from payers, and attempts to collect it.',
    receipts: 'Receipts of paid orders, and the entitlements that can be redeemed with them.',
  },
  async routes(parts: InstructionParts) {
    const { paymentRoutes, receiptRoutes } = await import('./routes.ts')
    return [...paymentRoutes(parts), ...receiptRoutes(parts)]
  },
  async jobs(parts: Platform<PaymentSettings> & { origins: PaymentOrigins }) {
    const { originJobs } = await import('./follower.ts')
    const { promptJobs } = await import('./prompts.ts')
    return { ...originJobs(parts, parts.origins), ...promptJobs(parts) }
  },
  personalData: async (settings: { refundWindowMs: number }) => ({
    records: [(await import('./personal-data.ts')).payerRecords(settings)],
  }),
  calendar: { '57 * * * *': 'asked-phones.forget' },
  checks: async () => (await import('./checks.ts')).paymentChecks,
  postings: async () => [(await import('./checks.ts')).paymentPostings],
  reconciled: async () => [(await import('./checks.ts')).reconciledPayments],
  settlementColumns: { payment: 'collected' as const },
}
