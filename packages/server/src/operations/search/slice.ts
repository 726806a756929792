import type { Platform } from '../../platform/platform.ts'
import type { PaymentCodeSettings } from '../../ways-to-pay/payment-codes/settings.ts'

export const slice = {
  folder: 'operations/search',
  tags: {
    search: 'One search over all objects of a Space.',
  },
  routes: async (parts: Platform<PaymentCodeSettings>) => (await import('./routes.ts')).searchRoutes(parts),
}
