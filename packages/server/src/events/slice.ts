import type { Gauge } from '../platform/metrics.ts'
import { type Permission, readAndWrite } from '../tenants/spaces/permissions.ts'
import type { EventParts } from './event-envelope.ts'
import { resources } from './resources.ts'
import { settings } from './settings.ts'
import type { ExampleParts } from './webhooks/example-events.ts'

const permissions: Permission[] = [
  ...readAndWrite('webhooks').map(({ name, roles }) =>
    name === 'webhooks:read' ? { name, roles: [...roles, 'support' as const] } : { name, roles },
  ),
  { name: 'webhooks:resend', roles: ['owner', 'admin', 'developer', 'support'] },
  ...readAndWrite('events'),
]

const gauges: Gauge[] = [
  {
    name: 'pesewa_events_pending',
    help: 'Facts that have not been published as events yet, counted up to 100,000.',
    read: async (db) => (await import('./waiting-store.ts')).countUnsequenced(db),
  },
  {
    name: 'pesewa_sequencer_lag_seconds',
    help: 'Age of the oldest fact of the live environment that has not been published as an event yet, among the first thousand; 0 if there is none.',
    read: async (db) => (await import('./waiting-store.ts')).selectSequencerLag(db),
  },
  {
    name: 'pesewa_deliveries_waiting',
    help: 'Pending webhook deliveries, counted up to 100,000.',
    read: async (db) => (await import('./waiting-store.ts')).countWaitingDeliveries(db),
  },
]

export const slice = {
  folder: 'events',
  tables: [
    'event_facts',
    'fact_kinds',
    'event_numbers',
    'event_backlog',
    'event_counters',
    'event_partitions',
    'event_sequencer',
    'sequenced_facts',
    'webhooks',
    'webhook_deliveries',
    'webhook_hours',
  ],
  functions: [
    'create_event_partition',
    'event_partition_start',
    'event_id',
    'event_data',
    'events_floor',
    'max_events_of_fact',
    'sequenced_fact',
    'fact_events',
    'events_between',
    'delivery_id',
  ],
  counters: () => import('./webhooks/metrics.ts'),
  settings,
  resources,
  permissions,
  gauges,
  tags: {
    events: 'What happened, in commit order, as a list and as a stream.',
    changes:
      'Stream that tells the console which types of objects to refresh. Unlike events, changes contain no data, so all members receive changes of objects that they may read. Only the console calls this endpoint.',
    webhooks: 'Your endpoints that receive signed events. Failed deliveries are retried for three days.',
    deliveries: 'Deliveries of events to webhooks, with every attempt.',
  },
  async routes(parts: EventParts) {
    const { eventRoutes } = await import('./event-routes.ts')
    const { webhookRoutes } = await import('./webhooks/routes.ts')
    const { deliveryRoutes } = await import('./webhooks/delivery-routes.ts')
    return [...eventRoutes(parts), ...webhookRoutes(parts), ...deliveryRoutes(parts)]
  },
  async jobs(parts: EventParts & ExampleParts) {
    const { deliveryJobs } = await import('./webhooks/delivery-routes.ts')
    const { exampleJobs } = await import('./webhooks/example-events.ts')
    const { removalJobs } = await import('./webhooks/removal.ts')
    const { retentionJobs } = await import('./partitions.ts')
    return {
      ...deliveryJobs(parts),
      ...exampleJobs(parts),
      ...removalJobs(parts.db),
      ...retentionJobs(parts),
    }
  },
  calendar: { '7 0 * * *': 'events.retain' },
}
