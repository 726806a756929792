import type Type from 'typebox'
import { accountInQuery } from '../../ledger/accounts/accounts.ts'
import { type LineFilter, selectLines } from '../../ledger/accounts/line-list-store.ts'
import { type Clearing, selectLineClearings } from '../../ledger/accounts/line-providers.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { lineFields, statementLines } from '../../ledger/accounts/statement-shapes.ts'
import type { Line } from '../../ledger/accounts/store.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Call, type Listed, list, type Page, type Route } from '../../platform/http/commands/route.ts'
import {
  idOf,
  object,
  optionalEnum,
  optionalReferenceTo,
  optionalText,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'

const lineShape = object(
  { ...lineFields, financialAccountId: withDescription(idOf(accountIds), 'Account of the line.') },
  {
    title: 'LineReportRow',
    description: 'A line of a financial account, with the provider that moved the money.',
  },
)

const lineQuery = object({
  financialAccountId: optionalReferenceTo(accountIds, 'Only lines of this account.'),
  reference: optionalText(64, 'Only lines with this reference.', '20261121-101500123-7k2m9x'),
  type: optionalEnum(['credit', 'debit'], 'Only credits or only debits.'),
})
type LineCall = Call<Type.Static<typeof lineQuery>>

type ReportedLine = Line & { clearing: Clearing | undefined }

/** The lines of all accounts as in statements, with provider, direction and the object that they are for. */
export const lineReport = ({ db, baseUrl }: Pick<Platform, 'db' | 'baseUrl'>): Route =>
  list({
    url: '/v1/reports/lines',
    summary: 'Retrieve the ledger line report',
    about: 'The lines of `GET /v1/financial-transactions`, with the fields of statements.',
    permission: 'financial-transactions:read',
    query: lineQuery,
    result: lineShape,
    list: (call, page) => readLines(db, call, page),
    position: ({ id }) => id,
    present: ({ clearing, ...line }, { scope }) => ({
      ...statementLines(
        baseUrl,
        scope,
      )({
        ...line,
        balance: line.balanceAfter,
        providerId: clearing?.providerId ?? null,
        direction: clearing?.direction ?? null,
      }),
      financialAccountId: showId(accountIds, line.accountId),
    }),
  })

async function readLines(
  db: Database,
  { scope, query }: LineCall,
  page: Page,
): Promise<Listed<ReportedLine>> {
  const { financialAccountId, ...filter } = query
  const account: LineFilter =
    financialAccountId === undefined
      ? {}
      : { accountId: await accountInQuery(db, scope, 'financialAccountId', financialAccountId) }
  const listed = await selectLines(db, scope, { ...filter, ...account }, page)
  const { rows, stoppedAt } = Array.isArray(listed) ? { rows: listed, stoppedAt: undefined } : listed
  const clearings = await selectLineClearings(
    db,
    scope,
    rows.map(({ id }) => id),
  )
  const reported = rows.map((line) => ({ ...line, clearing: clearings.get(line.id) }))
  return Array.isArray(listed) ? reported : { rows: reported, stoppedAt }
}
