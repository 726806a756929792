import Type from 'typebox'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import { object, optional, withDescription } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { selectCasesOf, shareCases } from './case-store.ts'
import { presentCaseMoney } from './cases.ts'
import { caseIds } from './resources.ts'
import { caseStatuses, ledgerCase } from './shapes.ts'

/** `/v1/cases`, where a Space can read its cases. */
export function caseRoutes({ db }: Platform): Route[] {
  const cases = resource({
    url: '/v1/cases',
    permission: 'financial-transactions',
    idKind: caseIds,
    result: ledgerCase,
    find: shareCases(db),
    present: (row) => ({
      id: showId(caseIds, row.id),
      kind: row.kind,
      status: row.closedAt ? ('closed' as const) : ('open' as const),
      objectId: showOwner({ id: row.objectId, type: row.objectType }),
      ...presentCaseMoney(row),
      financialTransactionReference: row.closingReference,
      createTime: row.openedAt.toISOString(),
      closeTime: row.closedAt?.toISOString() ?? null,
    }),
  })
  return [
    cases.list({
      summary: 'List cases',
      query: object({
        status: withDescription(optional(Type.Enum(caseStatuses)), 'Only open or only closed cases.'),
      }),
      list: ({ scope, query }, page) => selectCasesOf(db, scope, query, page),
    }),
    cases.read({ summary: 'Retrieve a case' }),
  ]
}
