import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const spaceIds = idKind('spc')
export const tokenIds = idKind('tok')
export const userIds = idKind('usr')
export const sessionIds = idKind('ses')
export const auditIds = idKind('aud')

export const resources = [
  { type: 'space', ids: spaceIds },
  { type: 'token', ids: tokenIds },
  { type: 'user', ids: userIds },
  { type: 'session', ids: sessionIds },
  { type: 'audit_entry', ids: auditIds },
] as const satisfies readonly Resource[]
