import type { Platform } from '../../platform/platform.ts'
import { type Permission, roleNames } from '../../tenants/spaces/permissions.ts'
import type { PaymentCodeSettings } from '../../ways-to-pay/payment-codes/settings.ts'

// Each type of object is searched only if the caller may read it.
const permissions: Permission[] = [{ name: 'search:read', roles: roleNames }]

export const slice = {
  folder: 'operations/search',
  permissions,
  tags: {
    search: 'One search over all objects of a Space.',
  },
  routes: async (parts: Platform<PaymentCodeSettings>) => (await import('./routes.ts')).searchRoutes(parts),
}
