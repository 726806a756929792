import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const paymentIds = idKind('pay')
export const orderIds = idKind('ord')

export const resources: Resource[] = [
  { type: 'payment', ids: paymentIds, happenings: ['created', 'processing', 'completed', 'failed'] },
  { type: 'order', ids: orderIds },
]
