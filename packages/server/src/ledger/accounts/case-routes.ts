import Type from 'typebox'
import { resource } from '../../platform/http/commands/resource.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  flag,
  idOf,
  nullableTime,
  object,
  optional,
  optionalEnum,
  ownId,
  shownText,
  textOrNull,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { environments } from '../../platform/scope.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { selectCasesOf, shareCases } from './case-store.ts'
import { type ListedCase, listCases, presentCaseMoney } from './cases.ts'
import { caseIds } from './resources.ts'
import { caseMoney, caseStatuses, ledgerCase } from './shapes.ts'

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
        status: optionalEnum(caseStatuses, 'Only open or only closed cases.'),
      }),
      list: ({ scope, query }, page) => selectCasesOf(db, scope, query, page),
    }),
    cases.read({ summary: 'Retrieve a case' }),
  ]
}

const operatorsCase = object(
  {
    id: ownId(caseIds),
    spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
    environment: Type.Enum(environments, { description: 'Environment of the money: `test` or `live`.' }),
    kind: ledgerCase.properties.kind,
    objectId: shownText('ID of the payment, payout or refund.', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    ...caseMoney,
    openTime: withDescription(timestamp, 'When the case was opened.'),
    closeTime: withDescription(nullableTime, 'When the case was closed; null while it is open.'),
    closedBy: textOrNull('Operator who closed the case.'),
    reason: textOrNull('Reason given for the decision.'),
    financialTransactionReference: textOrNull(
      'Reference of the ledger lines that moved the money out of suspense.',
    ),
  },
  { title: 'OperatorsCase' },
)

/** The route for operators to list the cases of all Spaces. */
export const operatorCaseRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: '/v1/installation/cases',
    permission: 'installation:read',
    summary: 'List the cases of all Spaces',
    about: 'Oldest first, at most a thousand.',
    query: object({
      all: optional(flag('Set to true to include closed cases.')),
    }),
    result: object({ cases: arrayOf('Cases, oldest first.', operatorsCase) }, { title: 'OperatorsCases' }),
    read: async ({ query: { all = false } }) => ({ cases: (await listCases(db, all)).map(present) }),
  }),
]

const present = (row: ListedCase) => ({
  id: showId(caseIds, row.id),
  spaceId: showId(spaceIds, row.spaceId),
  environment: row.environment,
  kind: row.kind,
  objectId: showOwner({ id: row.objectId, type: row.objectType }),
  ...presentCaseMoney(row),
  openTime: row.openedAt.toISOString(),
  closeTime: row.closedAt?.toISOString() ?? null,
  closedBy: row.closedBy,
  reason: row.reason,
  financialTransactionReference: row.closingReference,
})
