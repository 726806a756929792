import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const paymentIds = idKind('pay')
export const orderIds = idKind('ord')

export const resources = [
  {
    type: 'payment',
    ids: paymentIds,
    path: '/payments',
    happenings: {
      created: 'A payer began to pay.',
      processing: 'The payment is at the provider.',
      completed: 'The money arrived, and stands in the ledger.',
      failed: 'The payment ended without money.',
    },
  },
  { type: 'order', ids: orderIds },
] as const satisfies readonly Resource[]
