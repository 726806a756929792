import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const sessionIds = idKind('cos')
export const lineItemIds = idKind('lin')

export const resources: Resource[] = [
  { type: 'checkout_session', ids: sessionIds, happenings: ['created', 'completed', 'cancelled', 'expired'] },
  { type: 'line_item', ids: lineItemIds },
]
