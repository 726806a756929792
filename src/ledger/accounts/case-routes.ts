import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import {
  createTime,
  nullableText,
  object,
  optional,
  ownId,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { caseKinds, selectCasesOf, shareCases } from './case-store.ts'
import { presentCaseMoney } from './cases.ts'
import { caseIds } from './resources.ts'

const statuses = ['open', 'closed'] as const

const ledgerCase = object(
  {
    id: ownId(caseIds),
    kind: withMeanings(Type.Enum(caseKinds), 'Kind of contradiction.', {
      success_after_failure: 'money was moved after a failure was reported',
      failure_after_success: 'money was not moved after a success was reported',
    }),
    status: withMeanings(Type.Enum(statuses), 'Case status.', {
      open: 'awaiting a decision',
      closed: 'decided by an operator',
    }),
    objectId: withDescription(
      Type.String({ examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'] }),
      'ID of the payment, payout or refund.',
    ),
    amount: withDescription(shownMoney, 'Amount of the payment, payout or refund.'),
    returned: withDescription(shownMoney, 'Amount that recalls have already returned to the paying account.'),
    remaining: withDescription(
      shownMoney,
      'Amount that is moved when the case is closed: `amount` minus `returned`.',
    ),
    financialTransactionReference: withDescription(
      nullableText,
      'Reference of the ledger lines that moved the money out of suspense; null if there are none.',
    ),
    createTime,
    closeTime: withDescription(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'When the case was closed; null while it is open.',
    ),
  },
  {
    title: 'Case',
    description:
      'Money held in suspense because a rail contradicted an outcome that was already reported. An operator closes the case.',
  },
)

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
        status: withDescription(optional(Type.Enum(statuses)), 'Only open or only closed cases.'),
      }),
      list: ({ scope, query }, page) => selectCasesOf(db, scope, query, page),
    }),
    cases.read({ summary: 'Retrieve a case' }),
  ]
}
