import { maxAmount } from '@pesewa/values'
import { findCurrencies, validateCurrency } from '../../ledger/accounts/currencies.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { Checker } from '../../platform/http/shapes/validation.ts'
import { readId } from '../../platform/ids.ts'
import { type Issue, Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { checkApprovals } from '../approvals/policy.ts'
import { type Payee, readDestination } from '../payouts/destinations.ts'
import { type CsvRow, columnOf, readCsv } from './csv.ts'
import { type BatchToCheck, type NewRow, newRow } from './shapes.ts'

/** A row with all of its errors, by field or by column. If there are none, `valid` contains the row's content. */
export type CheckedRow = { number: number; issues: Issue[]; valid: ValidRow | undefined }

/** A row without errors, with its amount in minor units. */
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
 * Checks each row separately. Errors that concern all rows together are added to `issues`, which already
 * contains the errors found when the request was checked against its schema.
 */
export async function checkRows(
  db: Reader,
  parts: Providers,
  scope: Scope,
  body: WellFormed<BatchToCheck>,
  issues: Issues,
): Promise<CheckedRows> {
  const { accountId, currency } = await judgeSource(db, scope, body.source?.financialAccountId, issues)
  const judged = readRows(body, issues).map(({ row, issues: ofRow }, i): CheckedRow => {
    const taken = validateCurrency(ofRow, 'amount.currency', row.amount?.currency)
    if (taken && currency && taken !== currency)
      ofRow.add('amount.currency', `must be ${currency}, the currency of the source account`)
    const isTyped = body.csv !== undefined
    const destination = isTyped ? withProviderId(parts, row.destination, taken) : row.destination
    const payee = readDestination(parts, scope, destination, taken, ofRow)
    const shown = isTyped ? byColumn(ofRow.list) : ofRow.list
    return { number: i + 1, issues: shown, valid: soundOf(i + 1, row, payee, ofRow) }
  })
  judgeSums(judged, listIn(body), issues)
  return { rows: judged, accountId }
}

/**
 * Checks all rows and adds the errors of each row to `issues`, under the row's position in the list, as in
 * `rows[3].amount.value` or `csv[3].amount`.
 */
export async function checkAllRows(
  ...[db, parts, scope, body, issues]: Parameters<typeof checkRows>
): Promise<{ rows: ValidRow[]; accountId: string | undefined }> {
  const { rows, accountId } = await checkRows(db, parts, scope, body, issues)
  for (const row of rows) issues.addInside(`${listIn(body)}[${row.number - 1}]`, row.issues)
  return { rows: rows.flatMap(({ valid }) => valid ?? []), accountId }
}

/** People write a provider's name into a spreadsheet. It becomes an id if one provider of the currency has this name. */
function withProviderId(
  { catalogue }: Providers,
  destination: WellFormed<NewRow>['destination'],
  currency: string | undefined,
): typeof destination {
  const { type, providerId: typed } = destination ?? {}
  if (type === undefined || typed === undefined || catalogue.find(typed)) return destination
  const [named, ...others] = catalogue
    .list(type)
    .filter(({ name }) => name.toLowerCase() === typed.toLowerCase())
    .filter(({ currencies }) => currency === undefined || currencies.includes(currency))
  return named && others.length === 0 ? { ...destination, providerId: named.providerId } : destination
}

const listIn = ({ csv }: WellFormed<BatchToCheck>) => (csv === undefined ? 'rows' : 'csv')

function byColumn(list: readonly Issue[]): Issue[] {
  const issues = new Issues()
  for (const { param, errors } of list) for (const error of errors) issues.add(columnOf(param), error)
  return issues.list
}

async function judgeSource(db: Reader, scope: Scope, shown: string | undefined, issues: Issues) {
  if (shown === undefined) return { accountId: undefined, currency: undefined }
  const accountId = readId(accountIds, shown)
  const found = accountId ? await findCurrencies(db, [{ scope, id: accountId }]) : new Map<string, string>()
  const currency = found.get(globalName(scope, accountId ?? ''))
  if (currency === undefined)
    issues.add('source.financialAccountId', 'does not name a financial account in this Space')
  return { accountId, currency }
}

type ReadRow = { row: WellFormed<NewRow>; issues: Issues }

function readRows({ rows, csv }: WellFormed<BatchToCheck>, issues: Issues): ReadRow[] {
  if (rows !== undefined && csv !== undefined) issues.add('csv', 'cannot be combined with rows')
  // Malformed rows or a malformed CSV are also undefined here, but must not be reported twice.
  if (rows === undefined && csv === undefined && !issues.hasIssue('rows') && !issues.hasIssue('csv'))
    issues.add('rows', 'or csv is required')
  if (csv !== undefined) return readCsv(csv, issues).map(checkLine)
  return rows?.map((row = {}, i) => ({ row, issues: issues.inside(`rows[${i}]`) })) ?? []
}

const rowShape = new Checker(newRow)

/** Checks a line of the file against the shape that a row has in a request body. */
function checkLine(line: CsvRow): ReadRow {
  const issues = new Issues()
  if ('error' in line) {
    issues.add('', line.error)
    return { row: {}, issues }
  }
  const body = rowShape.checkBody(line.row, issues, 'POST')
  if (line.amountError) issues.add('amount.value', line.amountError)
  // The remaining parts have the shape of a row.
  return { row: rowShape.wellFormedParts(body) as WellFormed<NewRow>, issues }
}

function judgeSums(rows: CheckedRow[], list: string, issues: Issues): void {
  const sums = new Map<string, bigint>()
  for (const { valid } of rows)
    if (valid) sums.set(valid.currency, (sums.get(valid.currency) ?? 0n) + valid.amount)
  for (const [currency, sum] of sums)
    if (sum > maxAmount) issues.add(list, `totals more than ${maxAmount} minor units of ${currency}`)
}

function soundOf(
  number: number,
  { amount, name, reference, metadata }: WellFormed<NewRow>,
  payee: Payee | undefined,
  issues: Issues,
): ValidRow | undefined {
  const { currency, value } = amount ?? {}
  if (!payee || currency === undefined || value === undefined || issues.list.length > 0) return undefined
  return { number, amount: BigInt(value), currency, payee, name, reference, metadata }
}

/**
 * Returns whether another user must approve a batch. This is the case if at least one of its payouts would need
 * approval if they were created one after the other. Each payout adds to its creator's total for the day, so a
 * batch whose total exceeds the Space's limit also needs approval.
 */
export async function needsApproval(
  tx: Tx,
  scope: Scope,
  rows: ValidRow[],
  { userId, at }: { userId: string; at: Date },
): Promise<boolean> {
  const claims = rows.map(({ amount, currency, payee }) => ({
    ...{ scope, amount, currency, userId, at },
    payeeAccount: payee.account,
  }))
  return (await checkApprovals(tx, 'payout', sql`payouts`, claims)).some((judged) => judged.needsApproval)
}

/**
 * Returns the sum and the number of the rows in each currency, in the order in which the currencies first
 * appear.
 */
export function sumRows(rows: ValidRow[]): { currency: string; amount: bigint; count: number }[] {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  return [...byCurrency].map(([currency, ofCurrency]) => ({
    currency,
    amount: ofCurrency.reduce((sum, { amount }) => sum + amount, 0n),
    count: ofCurrency.length,
  }))
}
