import { Counter } from 'prom-client'
import { oneEach } from '../../platform/metrics.ts'

export const deliveryAttempts = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_delivery_attempts_total',
      help: 'Attempts to deliver an event; pending: it will be tried again.',
      labelNames: ['outcome'],
      registers,
    }),
)
