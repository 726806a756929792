import { Histogram } from 'prom-client'
import { oneEach } from '../platform/metrics.ts'

export const providerCalls = oneEach(
  (registers) =>
    new Histogram({
      name: 'pesewa_provider_call_seconds',
      help: 'Time that a call to a provider took.',
      labelNames: ['provider', 'call', 'outcome'],
      registers,
    }),
)
