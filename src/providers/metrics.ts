import { Counter, Histogram } from 'prom-client'
import { oneEach } from '../platform/metrics.ts'

export const providerCalls = oneEach(
  (registers) =>
    new Histogram({
      name: 'pesewa_provider_call_seconds',
      help: 'Duration of calls to providers.',
      labelNames: ['provider', 'call', 'outcome'],
      registers,
    }),
)

export const automaticPauses = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_automatic_pauses_total',
      help: 'Connections that this node paused automatically because too few payments succeeded.',
      labelNames: ['connection', 'provider'],
      registers,
    }),
)
