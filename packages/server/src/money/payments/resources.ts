import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const paymentIds = idKind('pay')
export const orderIds = idKind('ord')

export const resources = [
  {
    type: 'payment',
    ids: paymentIds,
    path: '/payments',
    readPermission: 'payments:read',
    eventTypes: {
      created: 'The payer started a payment.',
      processing: 'The payment was sent to the provider.',
      completed: 'The money arrived and was credited to the account.',
      failed: 'The payment failed; no money was collected.',
    },
  },
  { type: 'order', ids: orderIds },
] as const satisfies readonly Resource[]
