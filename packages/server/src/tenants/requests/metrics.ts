import { Counter } from 'prom-client'
import { oncePerRegistry } from '../../platform/metrics.ts'

export const unloggedRequests = oncePerRegistry(
  (registers) =>
    new Counter({
      name: 'pesewa_requests_unlogged_total',
      help: 'Requests missing from the request log because they exceeded the limit of a Space or of the node, were older than the log’s retention period, or could not be written to the database.',
      labelNames: ['why'],
      registers,
    }),
)
