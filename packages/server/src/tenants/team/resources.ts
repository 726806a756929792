import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const invitationIds = idKind('inv')

export const resources = [{ type: 'invitation', ids: invitationIds }] as const satisfies readonly Resource[]
