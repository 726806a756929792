import { type Permission, readAndWrite } from '../../tenants/spaces/permissions.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'
import type { CheckoutParts, PageParts } from './visits.ts'

export const slice = {
  folder: 'ways-to-pay/checkout',
  tables: ['checkout_sessions', 'receipt_settings'],
  functions: ['checkout_session_terms', 'checkout_session_outcome', 'checkout_session_seal'],
  settings,
  resources,
  permissions: [
    ...readAndWrite('checkout-sessions', 'money in'),
    { name: 'receipts:send', roles: ['owner', 'admin', 'developer', 'finance', 'support'] },
  ] satisfies Permission[],
  tags: {
    'checkout-sessions':
      'Hosted payment pages. Create a session, then redirect the payer to its `redirectUrl`.',
  },
  async routes(parts: PageParts) {
    const { checkoutRoutes } = await import('./routes.ts')
    const { pageRoutes } = await import('./page-routes.ts')
    const { receiptPageRoutes } = await import('./receipt-routes.ts')
    const { verificationRoute } = await import('./verification-routes.ts')
    const { receiptMailRoute } = await import('./receipt-mail.ts')
    return [
      ...checkoutRoutes(parts),
      ...pageRoutes(parts),
      ...receiptPageRoutes(parts),
      verificationRoute(parts),
      receiptMailRoute(parts),
    ]
  },
  async jobs(parts: CheckoutParts) {
    const { checkoutJobs } = await import('./jobs.ts')
    const { paidTwiceJobs } = await import('./paid-twice.ts')
    const { receiptSmsJobs } = await import('./receipt-sms.ts')
    return { ...checkoutJobs(parts), ...paidTwiceJobs(parts), ...receiptSmsJobs(parts) }
  },
  checks: async () => (await import('./checks.ts')).checkoutChecks,
  personalData: async () => ({ records: [(await import('./personal-data.ts')).sessionRecords] }),
}
