import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const payoutIds = idKind('pyt')
/** Batches are a slice of their own; a payout names the one it is of. */
export const batchIds = idKind('pyb')

export const resources = [
  {
    type: 'payout',
    ids: payoutIds,
    path: '/payouts',
    happenings: {
      created: 'A payout was created.',
      processing: 'The payout is at the provider.',
      delayed: 'Its outcome has not been known for ten minutes.',
      completed: 'The payee has the money.',
      failed: 'The payee did not get the money, and the hold is released.',
    },
  },
] as const satisfies readonly Resource[]
