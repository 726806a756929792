import type { Platform } from '../../platform/platform.ts'
import type { Permission } from '../spaces/permissions.ts'
import { settings } from './settings.ts'

/**
 * Bodies are masked but still contain the merchant's data, so only roles that build or run the integration can
 * read them.
 */
const permissions: Permission[] = [{ name: 'requests:read', roles: ['owner', 'admin', 'developer'] }]

export const slice = {
  folder: 'tenants/requests',
  tables: ['api_requests'],
  functions: ['api_request_day_start', 'create_api_request_partition'],
  settings,
  permissions,
  counters: () => import('./metrics.ts'),
  tags: {
    requests: 'The log of API requests of the last seven days.',
  },
  routes: async (parts: Platform) => (await import('./routes.ts')).requestRoutes(parts),
  async jobs({ db }: Platform) {
    const { retainRequests } = await import('./partitions.ts')
    return { 'requests.retain': () => retainRequests(db, new Date()) }
  },
  calendar: { '41 * * * *': 'requests.retain' },
}
