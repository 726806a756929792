import { Counter } from 'prom-client'
import { oncePerRegistry } from '../platform/metrics.ts'

export const unloggedRequests = oncePerRegistry(
  (registers) =>
    new Counter({
      name: 'pesewa_requests_unlogged_total',
      help: 'Requests missing from the request log: over the limit of a Space or of the node, older than the log keeps, or rejected by the database.',
      labelNames: ['why'],
      registers,
    }),
)
