import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const sessionIds = idKind('cos')
export const lineItemIds = idKind('lin')
/**
 * Ids of the payment links from which sessions are opened. They are declared here because the payment links
 * slice comes later.
 */
export const linkIds = idKind('pml')

export const resources = [
  {
    type: 'checkout_session',
    ids: sessionIds,
    readPermission: 'checkout-sessions:read',
    eventTypes: {
      created: 'A session was created.',
      completed: 'The session was paid.',
      cancelled: 'The session was cancelled.',
      expired:
        'The session passed its `expireTime` without being paid, or its payment link could not accept its payment.',
    },
  },
  { type: 'line_item', ids: lineItemIds },
] as const satisfies readonly Resource[]
