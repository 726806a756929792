import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const exportIds = idKind('pde')
export const erasureIds = idKind('per')
export const holdIds = idKind('lgh')

export const resources = [
  { type: 'personal_data_export', ids: exportIds },
  { type: 'personal_data_erasure', ids: erasureIds },
  { type: 'legal_hold', ids: holdIds },
] as const satisfies readonly Resource[]
