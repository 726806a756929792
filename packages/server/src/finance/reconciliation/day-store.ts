import type { Direction } from '../../ledger/accounts/store.ts'
import { integer, text, time } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { unnest } from '../../platform/db/unnest.ts'
import {
  type Extent,
  inExtent,
  isBookedClosed,
  isStatedClosed,
  type StatementSource,
} from './clearing-store.ts'
import { isReversed } from './report-store.ts'
import type { Signed } from './signed.ts'
import type { StatementLine } from './statement-file.ts'

/** A day at a provider, with its start and end in the time zone of the provider's country. */
export type ProviderDay = StatementSource & { day: string; from: Date; until: Date }

// every space: days refer to the operator's provider account
export const selectBounds = (db: Reader, day: string, timeZone: string) =>
  db.only<{ from: Date; until: Date }>(sql`
    select ${day}::date::timestamp at time zone ${timeZone} as "from",
      (${day}::date + 1)::timestamp at time zone ${timeZone} as until`)

/** Selects the parts of the period of row `of` that no statement covers, as ranges `gap`. */
const gapsIn = (of: Sql): Sql =>
  // every space: statements cover the operator's provider account
  sql`
  unnest(tstzmultirange(tstzrange(${of}.from_at, ${of}.until_at)) - (
    select coalesce(range_agg(tstzrange(statement.from_at, statement.until_at)), '{}') from statements statement
    where statement.provider_id = ${of}.provider_id and statement.environment = ${of}.environment
      and statement.from_at < ${of}.until_at and statement.until_at > ${of}.from_at
  )) gap`

/** Returns the periods of a day that no statement covers, earliest first. */
export const selectGaps = (db: Reader, { providerId, environment, from, until }: ProviderDay) =>
  // every space: statements cover the operator's provider account
  db.query<{ from: Date; until: Date }>(sql`
    select lower(gap) as "from", upper(gap) as until
    from (
      select ${providerId}::text as provider_id, ${environment}::environment as environment,
        ${from}::timestamptz as from_at, ${until}::timestamptz as until_at
    ) day
    cross join lateral ${gapsIn(sql`day`)}
    order by gap`)

/**
 * A past day that is not closed. `gapFrom` and `gapUntil` are the start and end of the first period that no
 * statement covers, or `null` if statements cover the whole day.
 */
export type DayToClose = { day: string; gapFrom: Date | null; gapUntil: Date | null }

/**
 * Returns those of the last `days` days that are not closed, earliest first. Starts with the first day that
 * statements cover from its beginning.
 */
export const selectDaysToClose = (
  db: Reader,
  { providerId, environment }: StatementSource,
  timeZone: string,
  { now, days }: { now: Date; days: number },
) =>
  // every space: days refer to the operator's provider account
  db.query<DayToClose>(sql`
    with bounds as (
      select (${now}::timestamptz at time zone ${timeZone})::date as today,
        (min(from_at) at time zone ${timeZone} - interval '1 microsecond')::date + 1 as first
      from statements where provider_id = ${providerId} and environment = ${environment}
    ), days as (
      select ${providerId}::text as provider_id, ${environment}::environment as environment, today - back as day,
        (today - back)::timestamp at time zone ${timeZone} as from_at,
        (today - back + 1)::timestamp at time zone ${timeZone} as until_at
      from bounds cross join generate_series(1, ${days}::integer) back
      where today - back >= first
    )
    select days.day::text as day, lower(missing.gap) as gap_from, upper(missing.gap) as gap_until
    from days
    left join lateral (select gap from ${gapsIn(sql`days`)} order by gap limit 1) missing on true
    where not exists (
      select 1 from closed_days closed
      where closed.provider_id = ${providerId} and closed.environment = ${environment}
        and closed.day = days.day and closed.reopened_at is null)
    order by days.day`)

/** Selects the statement lines in the period of row `of`. */
export const statedIn = (of: Sql): Sql =>
  // every space: a statement line has no Space until it is matched
  sql`
  (select * from statement_lines stated
  where stated.provider_id = ${of}.provider_id and stated.environment = ${of}.environment
    and stated.moved_at >= ${of}.from_at and stated.moved_at < ${of}.until_at
  offset 0)`

const idAt = (at: Sql) => sql`
  rpad(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`

/**
 * Selects the clearing lines of a provider in the period of row `of`. They are found by id, because ids begin
 * with a timestamp. Debits are money received, and credits are money sent.
 */
export const bookedIn = (of: Sql): Sql =>
  // every space: all Spaces share the operator's provider account
  sql`
  (select line.space_id, line.environment, line.account_id, line.seq, line.id, line.currency, line.owners, line.at,
    case when line.amount < 0 then 'collection' else 'disbursement' end as direction, abs(line.amount) as amount
  from (
    select distinct space_id from ledger_accounts account
    where account.kind = 'clearing' and account.provider_id = ${of}.provider_id
      and account.environment = ${of}.environment
  ) space
  cross join lateral (
    select * from ledger_lines line
    where line.space_id = space.space_id and line.environment = ${of}.environment
      and line.id >= ${idAt(sql`${of}.from_at`)} and line.id < ${idAt(sql`${of}.until_at`)} and not line.is_financial
    offset 0
  ) line
  join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
    and account.id = line.account_id
  where account.kind = 'clearing' and account.provider_id = ${of}.provider_id)`

/**
 * How a line of the statements or of the books relates to the other side. `matched`: matched on the same day;
 * `other_day`: matched on another day; `closed_by_hand`: closed by an operator; `taken_back`: booked and
 * reversed; `open`: not matched; `unseen`: booked since reconciliation last ran.
 */
export type Cause = 'matched' | 'other_day' | 'closed_by_hand' | 'taken_back' | 'open' | 'unseen'

export type DaySum = {
  side: 'stated' | 'booked'
  cause: Cause
  currency: string
  direction: Direction
  lines: bigint
  amount: bigint
  /**
   * One of the lines, identified in the same way as an open item: by the provider's line number, or by the id
   * of our line.
   */
  example: string
}

/** Returns the totals, by cause, of all lines of the statements and of the books for a given day. */
export const selectDaySums = (db: Reader, { providerId, environment, from, until }: ProviderDay) =>
  // every space: all Spaces share the operator's provider account
  db.query<DaySum>(sql`
    with day as materialized (
      select ${providerId}::text as provider_id, ${environment}::environment as environment,
        ${from}::timestamptz as from_at, ${until}::timestamptz as until_at
    ), lines as (
      select 'stated' as side, stated.currency, stated.direction, stated.amount, stated.id as example,
        case
          when stated.space_id is null then case when ${isStatedClosed(sql`stated`)} then 'closed_by_hand' else 'open' end
          when booked.at >= day.from_at and booked.at < day.until_at then 'matched'
          else 'other_day'
        end as cause
      from day
      cross join lateral ${statedIn(sql`day`)} stated
      left join ledger_lines booked on booked.space_id = stated.space_id and booked.environment = stated.environment
        and booked.account_id = stated.account_id and booked.seq = stated.seq
      union all
      select 'booked', line.currency, line.direction, line.amount, line.id::text,
        case
          when stated.moved_at >= day.from_at and stated.moved_at < day.until_at then 'matched'
          when stated.moved_at is not null then 'other_day'
          when booked.seq is null then 'unseen'
          when ${isBookedClosed(sql`booked`)} then 'closed_by_hand'
          when ${isReversed} then 'taken_back'
          else 'open'
        end
      from day
      cross join lateral ${bookedIn(sql`day`)} line
      left join statement_lines stated on stated.space_id = line.space_id and stated.environment = line.environment
        and stated.account_id = line.account_id and stated.seq = line.seq
      left join open_clearing_lines booked on booked.space_id = line.space_id
        and booked.environment = line.environment and booked.account_id = line.account_id and booked.seq = line.seq
    )
    select side, cause, currency, direction, count(*) as lines, sum(amount)::bigint as amount, min(example) as example
    from lines group by side, cause, currency, direction order by currency, direction, side, cause`)

/**
 * Number and total of the lines that only one side has on this day, by cause. The amount is in minor units, as
 * text.
 */
export type DayDifference = {
  side: 'stated' | 'booked'
  cause: Cause
  direction: Direction
  lines: string
  amount: string
}

/** The totals that an operator signed for a day in one currency. */
export type SignedDay = StatementSource & {
  day: string
  currency: string
  statedLines: bigint
  statedIn: bigint
  statedOut: bigint
  bookedLines: bigint
  bookedIn: bigint
  bookedOut: bigint
  differences: DayDifference[]
  closedAt: Date
  closedBy: string
  reason: string
}

export const insertClosedDay = (tx: Tx, { from, until }: ProviderDay, closed: SignedDay) =>
  // every space: days refer to the operator's provider account
  tx.only<Signed>(sql`
    insert into closed_days as signed (provider_id, environment, day, currency, from_at, until_at, stated_lines, stated_in,
      stated_out, booked_lines, booked_in, booked_out, differences, closed_at, closed_by, reason)
    values (${closed.providerId}, ${closed.environment}, ${closed.day}, ${closed.currency}, ${from}, ${until},
      ${closed.statedLines}, ${closed.statedIn}, ${closed.statedOut}, ${closed.bookedLines}, ${closed.bookedIn},
      ${closed.bookedOut}, ${JSON.stringify(closed.differences)}, ${closed.closedAt}, ${closed.closedBy},
      ${closed.reason})
    returning counted_id(id) as object_id, closed_day_details(signed) as details`)

export type ListedDay = SignedDay & {
  reopenedAt: Date | null
  reopenedBy: string | null
  reopeningReason: string | null
}

/**
 * Returns the closed days of an extent, latest first, including days that were reopened. With `day`, returns
 * only that day, and only if it is still closed.
 */
export const selectClosedDays = (db: Reader, extent: Extent, limit: number, day?: string) =>
  // every space: days refer to the operator's provider account
  db.query<ListedDay>(sql`
    select provider_id, environment, day::text, currency, stated_lines, stated_in, stated_out, booked_lines, booked_in,
      booked_out, differences, closed_at, closed_by, reason, reopened_at, reopened_by, reopening_reason
    from closed_days
    where ${inExtent(extent)} ${day === undefined ? nothing : sql`and day = ${day}::date and reopened_at is null`}
    order by closed_days.day desc, id desc limit ${limit}`)

export const updateReopened = (
  tx: Tx,
  { providerId, environment, day }: StatementSource & { day: string },
  { at, by, reason }: { at: Date; by: string; reason: string },
) =>
  // every space: days refer to the operator's provider account
  tx.query<Signed>(sql`
    update closed_days signed set reopened_at = ${at}, reopened_by = ${by}, reopening_reason = ${reason}
    where provider_id = ${providerId} and environment = ${environment} and day = ${day}::date and reopened_at is null
    returning counted_id(id) as object_id, reopened_day_details(signed) as details`)

/** Returns the new lines of a statement that belong to a closed day. */
export const selectOfClosedDays = (
  db: Reader,
  { providerId, environment }: StatementSource,
  lines: StatementLine[],
) =>
  // every space: days refer to the operator's provider account
  db.query<{ line: number; day: string }>(sql`
    select distinct requested.line, closed.day::text
    from ${movedRows(lines)}
    join closed_days closed on closed.provider_id = ${providerId} and closed.environment = ${environment}
      and closed.reopened_at is null
      and requested.moved_at >= closed.from_at and requested.moved_at < closed.until_at
    where not exists (
      select 1 from statement_lines known
      where known.provider_id = ${providerId} and known.environment = ${environment} and known.id = requested.id)
    order by requested.line`)

const movedRows = unnest({ line: integer, id: text, movedAt: time })
