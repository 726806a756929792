import { Histogram } from 'prom-client'
import { oncePerRegistry } from '../../platform/metrics.ts'

export const providerCalls = oncePerRegistry(
  (registers) =>
    new Histogram({
      name: 'pesewa_provider_call_seconds',
      help: 'Duration of calls to providers.',
      labelNames: ['provider', 'call', 'outcome'],
      registers,
    }),
)
