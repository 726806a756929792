import { idKind } from '../platform/ids.ts'
import type { Resource } from '../platform/resources.ts'

export const recallIds = idKind('rcl')

export const resources: Resource[] = [
  { type: 'recall', ids: recallIds, happenings: ['created', 'returned', 'refused', 'cancelled'] },
]
