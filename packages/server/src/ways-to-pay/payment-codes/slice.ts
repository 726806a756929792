import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { CheckoutParts } from '../checkout/visits.ts'
import type { PaymentCodeParts } from './payment-codes.ts'
import { resources } from './resources.ts'
import { type PaymentCodeSettings, settings } from './settings.ts'

export const slice = {
  folder: 'ways-to-pay/payment-codes',
  tables: ['payment_codes', 'payment_code_attempts'],
  homeTables: ['payment_code_numbers'],
  functions: ['payment_code_terms', 'payment_code_outcome', 'payment_code_seal'],
  settings,
  resources,
  permissions: readAndWrite('payment-codes', 'money in'),
  tags: {
    'payment-codes': 'Codes that payers dial on any phone to pay.',
  },
  async routes(parts: PaymentCodeParts & CheckoutParts) {
    const { paymentCodeRoutes } = await import('./routes.ts')
    const { dialPages } = await import('./dial-pages.ts')
    return [...paymentCodeRoutes(parts), ...dialPages(parts)]
  },
  jobs: async (parts: PaymentCodeParts) => (await import('./jobs.ts')).paymentCodeJobs(parts),
  calendar: { '19 3 * * *': 'payment-codes.free-numbers' },
  checks: async () => (await import('./checks.ts')).paymentCodeChecks,
  personalData: async (settings: PaymentCodeSettings) => ({
    records: [(await import('./personal-data.ts')).customerRecords(settings)],
  }),
}
