import { type AccountStatement, openStatement } from '../../ledger/accounts/account-statements.ts'
import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { fileRows } from '../../ledger/accounts/statement-files.ts'
import { fileEntry } from '../../ledger/accounts/statement-shapes.ts'
import { selectFinancialAccounts } from '../../ledger/accounts/store.ts'
import { refuseArchived } from '../../platform/db/archived-months.ts'
import type { Call, FileResponse, ListRoute } from '../../platform/http/commands/route.ts'
import { columnsOf } from '../../platform/http/lists/columns.ts'
import { createCsvWriter } from '../../platform/http/lists/csv.ts'
import { readRows } from '../../platform/http/lists/lists.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { reportRoutes } from '../books/report-routes.ts'
import { reconciledDays } from '../reconciliation/reconciled.ts'
import { presentDay } from '../reconciliation/routes.ts'
import { reconciledDay } from '../reconciliation/shapes.ts'
import { openMonth } from './space-month.ts'
import { selectBounds } from './store.ts'
import { type ArchivedFile, writeZip } from './zip.ts'

type Parts = Platform & { catalogue: Catalogue; settlementColumns: SettlementColumns }

const maxAccounts = 500 // limit: accounts in a month’s ZIP file
const maxLines = 1_000_000n // limit: statement lines in a month’s ZIP file
const rowsAtOnce = 100

/**
 * Opens a ZIP file with the statement of every account as CSV and PDF, the reports, and the reconciliation of a
 * month. It is written while the client reads it. Callers who may not read transactions get neither
 * statements nor ledger lines.
 *
 * @throws Refusal `arguments_invalid` if there are too many accounts or lines
 */
export async function openArchive(
  parts: Parts,
  call: Call<{ month?: string }>,
  acceptLanguage: string | undefined,
): Promise<Omit<FileResponse, 'type'>> {
  const { month, timeZone } = await openMonth(parts.db, call)
  const range = { ...(await selectBounds(parts.db, month, timeZone)), timeZone }
  // Days of a month may be in the month before in UTC.
  await refuseArchived(parts.db, range.from, 'month')
  const statements = call.may('financial-transactions:read') ? await openStatements(parts, call, range) : []
  const query = { from: range.from.toISOString(), to: range.to.toISOString() }
  const reports = reportRoutes(parts)
    .filter((route) => route.kind === 'list')
    .filter(({ permission }) => permission !== null && call.may(permission))
  async function* files(): AsyncGenerator<ArchivedFile> {
    const days = (await reconciledDays(parts.db, call.scope, month)).map(presentDay)
    yield { name: 'reconciliation.csv', chunks: csvOf(reconciledDay, [days]) }
    for (const route of reports) {
      const name = route.url.split('/').at(-1) ?? route.url
      yield { name: `${name}.csv`, chunks: csvOfList(parts, route, { ...call, query }) }
    }
    for (const statement of statements) yield* filesOf(parts, call, statement, acceptLanguage)
  }
  return { name: `month-${month.name}.zip`, chunks: writeZip(month.name, files(), range.to) }
}

/** Opens the statements of all accounts that existed in the month, oldest account first. */
async function openStatements(
  { db }: Parts,
  { scope }: Call,
  range: AccountStatement['range'],
): Promise<AccountStatement[]> {
  const page = { take: maxAccounts + 1, after: undefined }
  const { rows: accounts } = await selectFinancialAccounts(db, scope, {}, page)
  if (accounts.length > maxAccounts)
    throw argumentRefusal(
      'month',
      `has more than ${maxAccounts} accounts; download their statements one by one`,
    )
  const statements: AccountStatement[] = []
  for (const { id, createdAt } of accounts.toReversed())
    if (createdAt < range.to) statements.push(await openStatement(db, scope, id, range))
  const lines = statements.reduce((sum, { first, last }) => sum + last - first + 1n, 0n)
  if (lines > maxLines)
    throw argumentRefusal(
      'month',
      `has more than ${maxLines} statement lines; download the statements one by one`,
    )
  return statements
}

/** Returns the files of a statement. A statement that is too long for a PDF is in the archive as CSV only. */
async function* filesOf(
  parts: Parts,
  { scope }: Call,
  statement: AccountStatement,
  acceptLanguage: string | undefined,
): AsyncGenerator<ArchivedFile> {
  const name = `statements/${statement.account.uvan}`
  yield { name: `${name}.csv`, chunks: csvOf(fileEntry, fileRows(parts, scope, statement)) }
  const { maxPdfLines, writePdf } = await import('../../ledger/accounts/statement-pdf.ts')
  if (statement.last - statement.first < maxPdfLines)
    yield { name: `${name}.pdf`, chunks: writePdf(parts, scope, statement, acceptLanguage) }
}

/** Writes all rows of a list as CSV. */
async function* csvOfList({ db, seals }: Parts, route: ListRoute, call: Call): AsyncGenerator<string> {
  async function* pages() {
    for await (const rows of readRows(db, seals, route, call, rowsAtOnce))
      yield rows.map((row) => route.present(row, call))
  }
  yield* csvOf(route.result, pages())
}

async function* csvOf(
  shape: Parameters<typeof columnsOf>[0],
  pages: Iterable<unknown[]> | AsyncIterable<unknown[]>,
): AsyncGenerator<string> {
  const csv = createCsvWriter(columnsOf(shape))
  for await (const rows of pages) yield csv.rows(rows)
  yield csv.end()
}
