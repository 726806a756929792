import { hasMoved } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { archivedSeq } from './carried-balances.ts'
import { maxPostingDelayMs } from './postings.ts'

// A range is defined by timestamps, but no index contains them. The lines of an account are numbered in booking
// order, which differs from the order of their timestamps only for concurrent postings.

/** Allows for clock differences, and for delays after a posting has been sent. */
const slackMs = 60_000

/**
 * The maximum time by which a line's timestamp is earlier than that of a preceding line, in a Space whose clock
 * has never been moved.
 */
const disorder = sql`${`${maxPostingDelayMs + slackMs} milliseconds`}::interval`

const maxUnorderedLines = 1_000_000n // maximum number of lines of an account that are searched one by one after a test clock was moved

/**
 * Returns whether a Space's lines are in the order of their timestamps, apart from differences of up to
 * `disorder`.
 */
export const isOrdered = async (db: Reader, scope: Scope): Promise<boolean> => !(await hasMoved(db, scope))

/** Refuses the request if the account has too many lines to search one by one. */
export function refuseUnsearchable(nextSeq: bigint): void {
  if (nextSeq > maxUnorderedLines)
    throw argumentRefusal(
      'from',
      `cannot be located among more than ${maxUnorderedLines} lines because the test clock of this Space was moved`,
    )
}

/**
 * A subquery that returns one row: the position of a moment among the lines of the account in row `account`.
 * `balance` is the account's balance at that moment, which is the sum of all lines with earlier timestamps.
 * `first` is the number of the first line at or after the moment, and `last` is the number of the last line
 * before it. Without concurrent postings, `last` is `first - 1`.
 *
 * See docs/decisions/0032-ledger-lines-by-time.md.
 */
export const boundary = (account: Sql, moment: Sql, ordered: boolean): Sql => sql`
  (select (coalesce(
      balance_after_line(${account}.space_id, ${account}.environment, ${account}.id, low.seq - 1), 0
    ) + mixed.amount)::bigint as balance,
    coalesce(mixed.first, high.seq) as first, coalesce(mixed.last, low.seq - 1) as last
  from ${ordered ? crossing(account, sql`${moment} - ${disorder}`) : sql`(select ${firstSeq(account)} as seq)`} low
  cross join ${ordered ? crossing(account, sql`${moment} + ${disorder}`) : sql`(select ${account}.next_seq as seq)`} high
  cross join lateral (
    select coalesce(sum(amount) filter (where at < ${moment}), 0) as amount,
      min(seq) filter (where at >= ${moment}) as first, max(seq) filter (where at < ${moment}) as last
    from ledger_lines line
    where line.space_id = ${account}.space_id and line.environment = ${account}.environment
      and line.account_id = ${account}.id and line.seq >= low.seq and line.seq < high.seq
  ) mixed)`

/** The number of the first line of the account in row `account` that has not been archived. */
const firstSeq = (account: Sql) => sql`${archivedSeq(account, sql`${account}.id`)} + 1`

/**
 * Finds two adjacent lines by bisection: one before a moment, followed by one at or after it. Selects the
 * number (`seq`) of the second line.
 */
const crossing = (account: Sql, moment: Sql): Sql => sql`
  (with recursive search (low, high) as (
    select ${firstSeq(account)}, ${account}.next_seq
    union all
    select case when is_before then middle + 1 else low end, case when is_before then high else middle end
    from (
      select low, high, (low + high) / 2 as middle, (
        select at < ${moment} from ledger_lines line
        where line.space_id = ${account}.space_id and line.environment = ${account}.environment
          and line.account_id = ${account}.id and line.seq = (low + high) / 2) as is_before
      from search where low < high offset 0
    ) probe
  )
  select low as seq from search where low = high)`
