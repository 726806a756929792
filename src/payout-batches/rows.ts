import { maxAmount } from '../countries/money.ts'
import { judgeCurrency } from '../ledger/account-faults.ts'
import { findCurrencies } from '../ledger/currencies.ts'
import { accountIds } from '../ledger/resources.ts'
import { type Payee, readDestination } from '../payouts/destinations.ts'
import type { Reader } from '../platform/db/database.ts'
import { nameIn } from '../platform/db/scoped.ts'
import type { Sound } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { Checker } from '../platform/http/validation.ts'
import { readId } from '../platform/ids.ts'
import { type Fault, Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Providers } from '../providers/providers.ts'
import { type CsvRow, columnOf, readCsv } from './csv.ts'
import { type BatchToCheck, type NewRow, newRow } from './shapes.ts'

/** A row with everything that is wrong with it, by field or column. If nothing is, `sound` is its content. */
export type JudgedRow = { number: number; faults: Fault[]; sound: SoundRow | undefined }

/** Amount in minor units. */
export type SoundRow = {
  number: number
  amount: bigint
  currency: string
  payee: Payee
  name: string | undefined
  reference: string | undefined
  metadata: Metadata | undefined
}

export type JudgedRows = { rows: JudgedRow[]; accountId: string | undefined }

/**
 * Checks each row on its own. Errors of all rows together are added to `faults`, which already has those of the
 * shape.
 */
export async function judgeRows(
  db: Reader,
  parts: Providers,
  scope: Scope,
  body: Sound<BatchToCheck>,
  faults: Faults,
): Promise<JudgedRows> {
  const { accountId, currency } = await judgeSource(db, scope, body.source?.financialAccountId, faults)
  const judged = readRows(body, faults).map(({ row, faults: ofRow }, i): JudgedRow => {
    const taken = judgeCurrency(ofRow, 'amount.currency', row.amount?.currency)
    if (taken && currency && taken !== currency)
      ofRow.add('amount.currency', `must be ${currency}, the currency of the source account`)
    const payee = readDestination(parts, scope, row.destination, taken, ofRow)
    const shown = body.csv === undefined ? ofRow.list : byColumn(ofRow.list)
    return { number: i + 1, faults: shown, sound: soundOf(i + 1, row, payee, ofRow) }
  })
  judgeSums(judged, listIn(body), faults)
  return { rows: judged, accountId }
}

/**
 * Checks rows and adds the errors of each to `faults`, as those of one list: `rows[3].amount.value`,
 * `csv[3].amount`.
 */
export async function judgeAllRows(
  ...[db, parts, scope, body, faults]: Parameters<typeof judgeRows>
): Promise<{ rows: SoundRow[]; accountId: string | undefined }> {
  const { rows, accountId } = await judgeRows(db, parts, scope, body, faults)
  for (const row of rows) faults.addInside(`${listIn(body)}[${row.number - 1}]`, row.faults)
  return { rows: rows.flatMap(({ sound }) => sound ?? []), accountId }
}

const listIn = ({ csv }: Sound<BatchToCheck>) => (csv === undefined ? 'rows' : 'csv')

function byColumn(list: readonly Fault[]): Fault[] {
  const faults = new Faults()
  for (const { param, errors } of list) for (const error of errors) faults.add(columnOf(param), error)
  return faults.list
}

async function judgeSource(db: Reader, scope: Scope, shown: string | undefined, faults: Faults) {
  if (shown === undefined) return { accountId: undefined, currency: undefined }
  const accountId = readId(accountIds, shown)
  const found = accountId ? await findCurrencies(db, [{ scope, id: accountId }]) : new Map<string, string>()
  const currency = found.get(nameIn(scope, accountId ?? ''))
  if (currency === undefined)
    faults.add('source.financialAccountId', 'does not name a financial account in this Space')
  return { accountId, currency }
}

type ReadRow = { row: Sound<NewRow>; faults: Faults }

function readRows({ rows, csv }: Sound<BatchToCheck>, faults: Faults): ReadRow[] {
  if (rows !== undefined && csv !== undefined) faults.add('csv', 'cannot be combined with rows')
  // Malformed rows or CSV are undefined here, too, but must not be reported twice.
  if (rows === undefined && csv === undefined && !faults.isFaulty('rows') && !faults.isFaulty('csv'))
    faults.add('rows', 'or csv is required')
  if (csv !== undefined) return readCsv(csv, faults).map(checkLine)
  return rows?.map((row = {}, i) => ({ row, faults: faults.inside(`rows[${i}]`) })) ?? []
}

const rowShape = new Checker(newRow)

/** Checks a line by the shape of a row in a request body. */
function checkLine(line: CsvRow): ReadRow {
  const faults = new Faults()
  if ('error' in line) {
    faults.add('', line.error)
    return { row: {}, faults }
  }
  const body = rowShape.checkBody(line.row, faults, 'POST')
  if (line.amountError) faults.add('amount.value', line.amountError)
  // The remaining parts have the shape of a row.
  return { row: rowShape.soundParts(body) as Sound<NewRow>, faults }
}

function judgeSums(rows: JudgedRow[], list: string, faults: Faults): void {
  const sums = new Map<string, bigint>()
  for (const { sound } of rows)
    if (sound) sums.set(sound.currency, (sums.get(sound.currency) ?? 0n) + sound.amount)
  for (const [currency, sum] of sums)
    if (sum > maxAmount) faults.add(list, `totals more than ${maxAmount} minor units of ${currency}`)
}

function soundOf(
  number: number,
  { amount, name, reference, metadata }: Sound<NewRow>,
  payee: Payee | undefined,
  faults: Faults,
): SoundRow | undefined {
  const { currency, value } = amount ?? {}
  if (!payee || currency === undefined || value === undefined || faults.list.length > 0) return undefined
  return { number, amount: BigInt(value), currency, payee, name, reference, metadata }
}
