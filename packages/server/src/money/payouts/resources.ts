import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const payoutIds = idKind('pyt')
/** Batches are a separate slice. A payout refers to its batch by this id. */
export const batchIds = idKind('pyb')

export const resources = [
  {
    type: 'payout',
    ids: payoutIds,
    path: '/payouts',
    readPermission: 'payouts:read',
    eventTypes: {
      created: 'A payout was created.',
      processing: 'The payout was sent to the provider.',
      delayed: 'The outcome has been unknown for ten minutes.',
      completed: 'The payee has received the money.',
      failed: 'The payee did not receive the money, and the hold was released.',
    },
  },
] as const satisfies readonly Resource[]
