import { Counter } from 'prom-client'
import { oncePerRegistry } from '../../platform/metrics.ts'

export const deliveryAttempts = oncePerRegistry(
  (registers) =>
    new Counter({
      name: 'pesewa_delivery_attempts_total',
      help: 'Webhook delivery attempts by outcome; pending means that the delivery will be retried.',
      labelNames: ['outcome'],
      registers,
    }),
)
