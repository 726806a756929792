import { Counter } from 'prom-client'
import { oncePerRegistry } from '../../platform/metrics.ts'

const ended = (name: string, help: string) =>
  oncePerRegistry((registers) => new Counter({ name, help, labelNames: ['provider', 'status'], registers }))

export const payments = ended('pesewa_payments_total', 'Payments that completed or failed.')
export const payouts = ended('pesewa_payouts_total', 'Payouts that completed or failed.')

export const refunds = ended('pesewa_refunds_total', 'Refunds that completed or failed.')

export const unstatedAmounts = oncePerRegistry(
  (registers) =>
    new Counter({
      name: 'pesewa_unstated_amounts_total',
      help: 'Payments, payouts and refunds for which the provider reported no amount, so that the requested amount was assumed.',
      labelNames: ['provider'],
      registers,
    }),
)
