import type { Gauge } from '../../platform/metrics.ts'

const gauges: Gauge[] = [
  {
    name: 'pesewa_connections_paused',
    help: 'Number of connection pauses in effect. A pause stops new payments, or new payouts and refunds, through a connection.',
    read: async (db) => (await (await import('./store.ts')).selectPauses(db)).length,
  },
  {
    name: 'pesewa_breakers_open',
    help: 'Number of circuit breakers that are open on any node because of ambiguous responses. A connection has one for each provider and kind of instruction.',
    read: async (db) => (await (await import('./store.ts')).selectOpenBreakers(db)).length,
  },
]

export const slice = {
  folder: 'rails/routing',
  tables: ['connection_pauses', 'open_breakers', 'connection_stats'],
  counters: () => import('./metrics.ts'),
  gauges,
}
