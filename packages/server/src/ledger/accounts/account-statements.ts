import { refuseArchived } from '../../platform/db/archived-months.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import { argumentRefusal, existing } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { boundary, isOrdered, refuseUnsearchable } from './boundaries.ts'
import { lineClearing } from './line-providers.ts'
import { findFinalityTime, type TimeRange } from './range.ts'
import {
  type Direction,
  type FinancialAccount,
  type Line,
  lineColumns,
  selectFinancialAccount,
} from './store.ts'

/**
 * A statement of an account. Amounts are in minor units. `first` and `last` are the numbers (`seq`) of the
 * first and last line in the range.
 */
export type AccountStatement = {
  account: FinancialAccount
  range: TimeRange
  /** True if no more lines can be added to the range. */
  final: boolean
  opening: bigint
  closing: bigint
  first: bigint
  last: bigint
}

export type StatementTotals = { credits: bigint; debits: bigint; count: bigint }

/** A line and, if a provider moved the money, that provider and the direction. */
type ProviderLine = Line & { providerId: string | null; direction: Direction | null }

/**
 * A line with the running balance of the statement, which equals the ledger's balance if the lines are in
 * booking order.
 */
export type AccountStatementLine = ProviderLine & { balance: bigint }

/** The last line before a page, and the balance after that line. */
export type StatementPosition = { seq: bigint; balance: bigint }

const maxTotalledLines = 1_000_000n // limit: lines of a statement as JSON

/**
 * Opens a statement: reads the balances at the start and the end of the range independently of each other, and
 * the numbers of the first and last line.
 */
export async function openStatement(
  db: Database,
  scope: Scope,
  accountId: string,
  range: TimeRange,
): Promise<AccountStatement> {
  const settled = await findFinalityTime(db)
  return db.snapshot(async (reader) => {
    const account = existing(await selectFinancialAccount(reader, scope, accountId))
    await refuseArchived(reader, range.from)
    const ordered = await isOrdered(reader, scope)
    const ends = await readEnds(reader, scope, accountId, range, ordered)
    if (!ordered) refuseUnsearchable(ends.nextSeq)
    return { account, range, final: range.to <= settled, ...ends }
  })
}

async function readEnds(
  reader: Reader,
  { spaceId, environment }: Scope,
  accountId: string,
  { from, to }: TimeRange,
  ordered: boolean,
) {
  await reader.query(walkPlannerSettings)
  const at = (moment: Date) => boundary(sql`account`, sql`${moment}::timestamptz`, ordered)
  return reader.only<{ opening: bigint; closing: bigint; first: bigint; last: bigint; nextSeq: bigint }>(sql`
    select opening.balance as opening, closing.balance as closing, opening.first, closing.last, account.next_seq
    from ledger_accounts account
    cross join lateral ${at(from)} opening
    cross join lateral ${at(to)} closing
    where account.space_id = ${spaceId} and account.environment = ${environment} and account.id = ${accountId}`)
}

/**
 * Adds up the lines and verifies that the opening balance and the lines add up to the closing balance. Throws
 * if they do not.
 */
export async function sumStatement(
  db: Reader,
  scope: Scope,
  statement: AccountStatement,
): Promise<StatementTotals> {
  if (statement.last - statement.first >= maxTotalledLines)
    throw argumentRefusal(
      'to',
      `makes the range exceed ${maxTotalledLines} lines; narrow the range or request text/csv`,
    )
  // The sums are selected as text, because a sum of credits can exceed the range of a balance.
  const sums = await db.only<{ credits: string; debits: string; count: bigint }>(sql`
    select coalesce(sum(amount) filter (where amount > 0), 0)::text as credits,
      coalesce(-sum(amount) filter (where amount < 0), 0)::text as debits, count(*) as count
    from ledger_lines
    where space_id = ${scope.spaceId} and environment = ${scope.environment} and account_id = ${statement.account.id}
      and ${isWithin(statement)}`)
  const totals = { ...sums, credits: BigInt(sums.credits), debits: BigInt(sums.debits) }
  prove(statement, totals)
  return totals
}

function prove({ account, opening, closing }: AccountStatement, { credits, debits }: StatementTotals): void {
  if (opening + credits - debits !== closing)
    throw new Error(
      `the lines of account ${account.id} do not add up: ${opening} + ${credits} - ${debits} ≠ ${closing}`,
    )
}

/** Reads up to `take` lines that follow a position, in booking order, and computes their running balances. */
export async function readStatementLines(
  db: Reader,
  scope: Scope,
  statement: AccountStatement,
  { seq, balance: before }: StatementPosition,
  take: number,
): Promise<AccountStatementLine[]> {
  const lines = await db.query<ProviderLine>(sql`
    select line.*, clearing.provider_id, clearing.direction
    from (
      select space_id, environment, ${lineColumns} from ledger_lines
      where space_id = ${scope.spaceId} and environment = ${scope.environment} and account_id = ${statement.account.id}
        and ${isWithin(statement)} and seq > ${seq}
      order by seq limit ${take}
    ) line
    left join lateral ${lineClearing} clearing on true
    order by line.seq`)
  let balance = before
  return lines.map((line) => {
    balance += line.amount
    return { ...line, balance }
  })
}

/** The position before the first line. */
export const statementStart = ({ first, opening }: AccountStatement): StatementPosition => ({
  seq: first - 1n,
  balance: opening,
})

const linesAtOnce = 1_000 // number of lines that are read at a time when a statement is written to a file

/** Yields all lines in batches, and then verifies the totals in the same way as `sumStatement`. */
export async function* walkStatement(
  db: Database,
  scope: Scope,
  statement: AccountStatement,
): AsyncGenerator<AccountStatementLine[], StatementTotals> {
  const totals = { credits: 0n, debits: 0n, count: 0n }
  for (let place = statementStart(statement); ; ) {
    const lines = await db.within(scope.spaceId, () =>
      readStatementLines(db, scope, statement, place, linesAtOnce),
    )
    for (const { amount } of lines) {
      totals.count++
      if (amount > 0n) totals.credits += amount
      else totals.debits -= amount
    }
    yield lines
    place = lines.at(-1) ?? place
    if (lines.length < linesAtOnce) break
  }
  prove(statement, totals)
  return totals
}

const isWithin = ({ range, first, last }: AccountStatement) => sql`
  seq between ${first} and ${last} and at >= ${range.from} and at < ${range.to}`
