import { readAndWrite } from '../../tenants/spaces/permissions.ts'
import type { PaymentLinkParts } from './payment-links.ts'
import { resources } from './resources.ts'
import type { LinkPageParts } from './visits.ts'

export const slice = {
  folder: 'ways-to-pay/payment-links',
  tables: ['payment_links', 'payment_link_places'],
  homeTables: ['payment_link_addresses'],
  functions: ['payment_link_terms', 'payment_link_seal'],
  resources,
  permissions: readAndWrite('payment-links', 'money in'),
  tags: {
    'payment-links': 'Reusable links that open a checkout session for each payer.',
  },
  async routes(parts: LinkPageParts) {
    const { paymentLinkRoutes } = await import('./routes.ts')
    const { linkPageRoutes } = await import('./page-routes.ts')
    const { componentRoute } = await import('./component.ts')
    return [...paymentLinkRoutes(parts), ...linkPageRoutes(parts), componentRoute()]
  },
  jobs: async (parts: PaymentLinkParts) => (await import('./jobs.ts')).paymentLinkJobs(parts),
  calendar: { '23 3 * * *': 'payment-links.free-addresses' },
  checks: async () => (await import('./checks.ts')).paymentLinkChecks,
}
