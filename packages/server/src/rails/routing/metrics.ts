import { Counter } from 'prom-client'
import { oncePerRegistry } from '../../platform/metrics.ts'

export const automaticPauses = oncePerRegistry(
  (registers) =>
    new Counter({
      name: 'pesewa_automatic_pauses_total',
      help: 'Automatic pauses of a connection by this node because too few payments succeeded.',
      labelNames: ['connection', 'provider'],
      registers,
    }),
)
