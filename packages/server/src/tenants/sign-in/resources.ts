import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const attemptIds = idKind('sia')
export const passkeyIds = idKind('pky')

export const resources = [
  { type: 'sign_in', ids: attemptIds },
  { type: 'passkey', ids: passkeyIds },
] as const satisfies readonly Resource[]
