import { Counter } from 'prom-client'
import { oneEach } from '../platform/metrics.ts'

const ended = (name: string, help: string) =>
  oneEach((registers) => new Counter({ name, help, labelNames: ['provider', 'status'], registers }))

export const payments = ended('pesewa_payments_total', 'Payments that ended.')
export const payouts = ended('pesewa_payouts_total', 'Payouts that ended.')

export const refunds = ended('pesewa_refunds_total', 'Refunds that ended.')

export const unstatedAmounts = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_unstated_amounts_total',
      help: 'Payments, payouts and refunds completed through a provider that stated no amount: taken as what was requested.',
      labelNames: ['provider'],
      registers,
    }),
)
