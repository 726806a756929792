import type { Platform } from '../platform/platform.ts'
import type { Permission } from '../spaces/permissions.ts'
import { settings } from './settings.ts'

/** Bodies are masked, but they are the merchant's own: whoever builds or runs the integration reads them. */
const permissions: Permission[] = [{ name: 'requests:read', roles: ['owner', 'admin', 'developer'] }]

export const slice = {
  name: 'requests',
  tables: ['api_requests'],
  functions: ['api_request_day_start', 'create_api_request_partition'],
  settings,
  permissions,
  counters: () => import('./metrics.ts'),
  tags: {
    requests: 'The log of what the API was asked in the last seven days, without bodies.',
  },
  routes: async (parts: Platform) => (await import('./routes.ts')).requestRoutes(parts),
  async jobs({ db }: Platform) {
    const { retainRequests } = await import('./partitions.ts')
    return { 'requests.retain': () => retainRequests(db, new Date()) }
  },
  calendar: { '41 * * * *': 'requests.retain' },
}
