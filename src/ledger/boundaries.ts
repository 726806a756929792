import { hasMoved } from '../platform/clock.ts'
import type { Reader } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { maxPostingDelayMs } from './postings.ts'

// A line belongs to a range by its timestamp. An account's lines are numbered in the order in which they were booked, which
// is that of their timestamps but for postings that were under way together: no index has the timestamps.

/** For what goes on after a posting is sent, and clocks that differ. */
const slackMs = 60_000

/** How far the timestamp of a line may be behind that of a line booked before it, in a Space whose clock always went on. */
const disorder = sql`${`${maxPostingDelayMs + slackMs} milliseconds`}::interval`

const maxUnorderedLines = 1_000_000n // limit: lines of an account that are searched one by one, where a test clock was moved

/** Whether the lines of a Space's accounts are in the order of their timestamps, but for `disorder`. */
export const isOrdered = async (db: Reader, scope: Scope): Promise<boolean> => !(await hasMoved(db, scope))

/** Refuses an account that would have to be searched line by line and has too many. */
export function refuseUnsearchable(nextSeq: bigint): void {
  if (nextSeq > maxUnorderedLines)
    throw argumentRefusal(
      'from',
      `cannot be found among more than ${maxUnorderedLines} lines, in a Space whose test clock was moved`,
    )
}

/**
 * A subselect of one row: where a moment stands among the lines of the account of row `account`, and the account's `balance`
 * then, of all lines with earlier timestamps. `first`: the number of the first line with that timestamp or a later one;
 * `last`: that of the last with an earlier one. Unless postings were under way together, `last` is `first - 1`.
 */
export const boundary = (account: Sql, moment: Sql, ordered: boolean): Sql => sql`
  (select (coalesce((
      select balance_after from ledger_lines line
      where line.space_id = ${account}.space_id and line.environment = ${account}.environment
        and line.account_id = ${account}.id and line.seq = low.seq - 1
    ), 0) + mixed.amount)::bigint as balance,
    coalesce(mixed.first, high.seq) as first, coalesce(mixed.last, low.seq - 1) as last
  from ${ordered ? crossing(account, sql`${moment} - ${disorder}`) : sql`(select 1::bigint as seq)`} low
  cross join ${ordered ? crossing(account, sql`${moment} + ${disorder}`) : sql`(select ${account}.next_seq as seq)`} high
  cross join lateral (
    select coalesce(sum(amount) filter (where at < ${moment}), 0) as amount,
      min(seq) filter (where at >= ${moment}) as first, max(seq) filter (where at < ${moment}) as last
    from ledger_lines line
    where line.space_id = ${account}.space_id and line.environment = ${account}.environment
      and line.account_id = ${account}.id and line.seq >= low.seq and line.seq < high.seq
  ) mixed)`

/** By bisection: the number of a line that is not before a moment though the one before it is. */
const crossing = (account: Sql, moment: Sql): Sql => sql`
  (with recursive search (low, high) as (
    select 1::bigint, ${account}.next_seq
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
