import { idKind } from '../../platform/ids.ts'
import type { Resource } from '../../platform/resources.ts'

export const accountIds = idKind('fac')
export const transactionIds = idKind('ftx')
export const caseIds = idKind('cas')
export const holdIds = idKind('hld')

export const resources = [
  { type: 'financial_account', ids: accountIds },
  {
    type: 'financial_transaction',
    ids: transactionIds,
    readPermission: 'financial-transactions:read',
    eventTypes: {
      created: 'A ledger line was written.',
    },
  },
  { type: 'case', ids: caseIds },
  { type: 'hold', ids: holdIds },
] as const satisfies readonly Resource[]
