import { Counter } from 'prom-client'
import { oneEach } from '../platform/metrics.ts'

export const payments = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_payments_total',
      help: 'Payments that ended.',
      labelNames: ['provider', 'status'],
      registers,
    }),
)

export const payouts = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_payouts_total',
      help: 'Payouts that ended.',
      labelNames: ['provider', 'status'],
      registers,
    }),
)

export const unstatedAmounts = oneEach(
  (registers) =>
    new Counter({
      name: 'pesewa_unstated_amounts_total',
      help: 'Payments and payouts completed through a provider that stated no amount: taken as what was asked for.',
      labelNames: ['provider'],
      registers,
    }),
)
