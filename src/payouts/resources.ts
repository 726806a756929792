import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const payoutIds = idKind('pyt')

export const resources: Resource[] = [
  { type: 'payout', ids: payoutIds, happenings: ['created', 'processing', 'delayed', 'completed', 'failed'] },
]
