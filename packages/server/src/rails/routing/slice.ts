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
  {
    name: 'pesewa_callback_silence_seconds',
    help: 'Time for which payments, payouts and refunds have been submitted through a live connection without any report from the rail, in steps of ten minutes. Only for connections that have received a report within two days.',
    labelNames: ['connection'],
    readEach: async (db) =>
      (await (await import('./store.ts')).selectCallbackSilences(db)).map(({ connection, seconds }) => ({
        labels: { connection },
        value: seconds,
      })),
  },
]

export const slice = {
  folder: 'rails/routing',
  tables: ['open_breakers', 'connection_stats'],
  homeTables: ['connection_pauses'],
  counters: () => import('./metrics.ts'),
  gauges,
}
