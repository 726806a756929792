import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const payoutIds = idKind('pyt')
/** Batches are a slice of their own; a payout names the one it is of. */
export const batchIds = idKind('pyb')

export const resources: Resource[] = [
  { type: 'payout', ids: payoutIds, happenings: ['created', 'processing', 'delayed', 'completed', 'failed'] },
]
