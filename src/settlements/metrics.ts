import { Gauge } from 'prom-client'
import { oneEach } from '../platform/metrics.ts'

const gaugeOf = (name: string, help: string) =>
  oneEach(
    (registers) => new Gauge({ name, help, labelNames: ['connection', 'account', 'currency'], registers }),
  )
export const railBalances = gaugeOf(
  'pesewa_rail_balance',
  'On our account at a rail, in minor units, as it says.',
)
export const bookedBalances = gaugeOf(
  'pesewa_rail_booked',
  'What the books say is at a provider, in minor units.',
)
