import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const eventIds = idKind('evt')
export const webhookIds = idKind('whk')
export const deliveryIds = idKind('dlv')

export const resources = [
  { type: 'event', ids: eventIds },
  {
    type: 'webhook',
    ids: webhookIds,
    happenings: {
      disabled: 'An endpoint was disabled, because it said 410 Gone or took nothing for five days.',
    },
  },
  { type: 'delivery', ids: deliveryIds },
] as const satisfies readonly Resource[]
