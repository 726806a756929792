import { Counter } from 'prom-client'
import { oneEach } from '../platform/metrics.ts'

export const unloggedRequests = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_requests_unlogged_total',
      help: 'Requests that are missing in the request log: too many of one Space, too many at once, begun longer ago than is kept, or the database did not take them.',
      labelNames: ['why'],
      registers,
    }),
)
