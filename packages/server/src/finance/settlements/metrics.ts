import { Gauge } from 'prom-client'
import { oncePerRegistry, sameEverywhere } from '../../platform/metrics.ts'

const gaugeOf = (name: string, help: string) =>
  oncePerRegistry(
    (registers) =>
      new Gauge({
        name,
        help,
        ...sameEverywhere,
        labelNames: ['connection', 'account', 'currency'],
        registers,
      }),
  )
export const railBalances = gaugeOf(
  'pesewa_rail_balance',
  'Balance of our account as reported by the rail, in minor units.',
)
export const bookedBalances = gaugeOf(
  'pesewa_rail_booked',
  'Balance of our account at the provider according to the books, in minor units.',
)
