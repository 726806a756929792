import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  createTime,
  described,
  explained,
  nullableText,
  object,
  optional,
  ownId,
} from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { showOwner } from '../spaces/ownership.ts'
import { caseKinds, selectCasesOf, shareCases } from './case-store.ts'
import { presentCaseMoney } from './cases.ts'
import { caseIds } from './resources.ts'

const statuses = ['open', 'closed'] as const

const ledgerCase = object(
  {
    id: ownId(caseIds),
    kind: explained(Type.Enum(caseKinds), 'What contradicts itself.', {
      success_after_failure: 'money moved although it was reported as failed',
      failure_after_success: 'money did not move although it was reported as moved',
    }),
    status: explained(Type.Enum(statuses), 'Whether somebody still has to decide.', {
      open: 'yes',
      closed: 'somebody did',
    }),
    objectId: described(
      Type.String({ examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'] }),
      'The payment, payout or refund that it is about.',
    ),
    amount: described(shownMoney, 'The money that it is about.'),
    returned: described(shownMoney, 'What of it recalls had already brought back to the account that paid.'),
    remaining: described(shownMoney, 'What is left of it: closing the case moves this and no more.'),
    financialTransactionReference: described(
      nullableText,
      'Finds the lines of the ledger that put the money into suspense; null where none were written.',
    ),
    createTime,
    closeTime: described(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'When somebody decided; null while it is open.',
    ),
  },
  {
    title: 'Case',
    description:
      'Money of which its rail reported the opposite of the outcome before. It waits for a person.',
  },
)

/** Money that waits for a person, as its Space can see it. */
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
        status: described(optional(Type.Enum(statuses)), 'Only open cases, or only closed ones.'),
      }),
      list: ({ scope, query }, page) => selectCasesOf(db, scope, query, page),
    }),
    cases.read({ summary: 'Retrieve a case' }),
  ]
}
