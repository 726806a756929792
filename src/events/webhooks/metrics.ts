import { Counter } from 'prom-client'
import { oneEach } from '../../platform/metrics.ts'

export const deliveryAttempts = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_delivery_attempts_total',
      help: 'Webhook delivery attempts by outcome; pending: it will be retried.',
      labelNames: ['outcome'],
      registers,
    }),
)
