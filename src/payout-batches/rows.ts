import { maxAmount } from '../countries/money.ts'
import { validateCurrency } from '../ledger/account-issues.ts'
import { findCurrencies } from '../ledger/currencies.ts'
import { accountIds } from '../ledger/resources.ts'
import { type Payee, readDestination } from '../payouts/destinations.ts'
import type { Reader } from '../platform/db/database.ts'
import { globalName } from '../platform/db/scoped.ts'
import type { WellFormed } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { Checker } from '../platform/http/validation.ts'
import { readId } from '../platform/ids.ts'
import { type Issue, Issues } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Providers } from '../providers/providers.ts'
import { type CsvRow, columnOf, readCsv } from './csv.ts'
import { type BatchToCheck, type NewRow, newRow } from './shapes.ts'

/** A row with everything that is wrong with it, by field or column. If nothing is, `sound` is its content. */
export type CheckedRow = { number: number; faults: Issue[]; valid: ValidRow | undefined }

/** Amount in minor units. */
export type ValidRow = {
  number: number
  amount: bigint
  currency: string
  payee: Payee
  name: string | undefined
  reference: string | undefined
  metadata: Metadata | undefined
}

export type CheckedRows = { rows: CheckedRow[]; accountId: string | undefined }

/**
 * Checks each row on its own. Errors of all rows together are added to `faults`, which already has those of the
 * shape.
 */
export async function checkRows(
  db: Reader,
  parts: Providers,
  scope: Scope,
  body: WellFormed<BatchToCheck>,
  faults: Issues,
): Promise<CheckedRows> {
  const { accountId, currency } = await judgeSource(db, scope, body.source?.financialAccountId, faults)
  const judged = readRows(body, faults).map(({ row, faults: ofRow }, i): CheckedRow => {
    const taken = validateCurrency(ofRow, 'amount.currency', row.amount?.currency)
    if (taken && currency && taken !== currency)
      ofRow.add('amount.currency', `must be ${currency}, the currency of the source account`)
    const payee = readDestination(parts, scope, row.destination, taken, ofRow)
    const shown = body.csv === undefined ? ofRow.list : byColumn(ofRow.list)
    return { number: i + 1, faults: shown, valid: soundOf(i + 1, row, payee, ofRow) }
  })
  judgeSums(judged, listIn(body), faults)
  return { rows: judged, accountId }
}

/**
 * Checks rows and adds the errors of each to `faults`, as those of one list: `rows[3].amount.value`,
 * `csv[3].amount`.
 */
export async function checkAllRows(
  ...[db, parts, scope, body, faults]: Parameters<typeof checkRows>
): Promise<{ rows: ValidRow[]; accountId: string | undefined }> {
  const { rows, accountId } = await checkRows(db, parts, scope, body, faults)
  for (const row of rows) faults.addInside(`${listIn(body)}[${row.number - 1}]`, row.faults)
  return { rows: rows.flatMap(({ valid }) => valid ?? []), accountId }
}

const listIn = ({ csv }: WellFormed<BatchToCheck>) => (csv === undefined ? 'rows' : 'csv')

function byColumn(list: readonly Issue[]): Issue[] {
  const faults = new Issues()
  for (const { param, errors } of list) for (const error of errors) faults.add(columnOf(param), error)
  return faults.list
}

async function judgeSource(db: Reader, scope: Scope, shown: string | undefined, faults: Issues) {
  if (shown === undefined) return { accountId: undefined, currency: undefined }
  const accountId = readId(accountIds, shown)
  const found = accountId ? await findCurrencies(db, [{ scope, id: accountId }]) : new Map<string, string>()
  const currency = found.get(globalName(scope, accountId ?? ''))
  if (currency === undefined)
    faults.add('source.financialAccountId', 'does not name a financial account in this Space')
  return { accountId, currency }
}

type ReadRow = { row: WellFormed<NewRow>; faults: Issues }

function readRows({ rows, csv }: WellFormed<BatchToCheck>, faults: Issues): ReadRow[] {
  if (rows !== undefined && csv !== undefined) faults.add('csv', 'cannot be combined with rows')
  // Malformed rows or CSV are undefined here, too, but must not be reported twice.
  if (rows === undefined && csv === undefined && !faults.hasIssue('rows') && !faults.hasIssue('csv'))
    faults.add('rows', 'or csv is required')
  if (csv !== undefined) return readCsv(csv, faults).map(checkLine)
  return rows?.map((row = {}, i) => ({ row, faults: faults.inside(`rows[${i}]`) })) ?? []
}

const rowShape = new Checker(newRow)

/** Checks a line by the shape of a row in a request body. */
function checkLine(line: CsvRow): ReadRow {
  const faults = new Issues()
  if ('error' in line) {
    faults.add('', line.error)
    return { row: {}, faults }
  }
  const body = rowShape.checkBody(line.row, faults, 'POST')
  if (line.amountError) faults.add('amount.value', line.amountError)
  // The remaining parts have the shape of a row.
  return { row: rowShape.wellFormedParts(body) as WellFormed<NewRow>, faults }
}

function judgeSums(rows: CheckedRow[], list: string, faults: Issues): void {
  const sums = new Map<string, bigint>()
  for (const { valid } of rows)
    if (valid) sums.set(valid.currency, (sums.get(valid.currency) ?? 0n) + valid.amount)
  for (const [currency, sum] of sums)
    if (sum > maxAmount) faults.add(list, `totals more than ${maxAmount} minor units of ${currency}`)
}

function soundOf(
  number: number,
  { amount, name, reference, metadata }: WellFormed<NewRow>,
  payee: Payee | undefined,
  faults: Issues,
): ValidRow | undefined {
  const { currency, value } = amount ?? {}
  if (!payee || currency === undefined || value === undefined || faults.list.length > 0) return undefined
  return { number, amount: BigInt(value), currency, payee, name, reference, metadata }
}
