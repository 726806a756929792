import { linesOfReference } from '../../ledger/accounts/checks.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import type { Reader } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import type { SettlementKind } from '../settlements/store.ts'
import type { Month } from './months.ts'

/** The Space and environment to read, or an environment of all Spaces. */
export type View = Pick<Scope, 'environment'> & Partial<Pick<Scope, 'spaceId'>>

const inView = (row: Sql, { spaceId, environment }: View) => sql`
  ${row}.environment = ${environment} ${spaceId === undefined ? nothing : sql`and ${row}.space_id = ${spaceId}`}`

/** Returns the start and the end of a month as moments. */
export const selectBounds = (db: Reader, { from }: Month, timeZone: string) =>
  db.only<{ from: Date; to: Date }>(sql`
    select ${from}::date::timestamp at time zone ${timeZone} as "from",
      (${from}::date + interval '1 month') at time zone ${timeZone} as "to"`)

export const hasBookings = async (db: Reader, { spaceId, environment }: Scope, { from, to }: Month) =>
  (
    await db.only<{ isUsed: boolean }>(sql`
      select exists (
        select 1 from clearing_days where space_id = ${spaceId} and environment = ${environment}
          and date between ${from}::date and ${to}::date) as is_used`)
  ).isUsed

/** A closed day, who closed it last, and when. */
export type DaySignature = { providerId: string; date: string; by: string; at: Date }

export const selectDaySignatures = (db: Reader, environment: Environment, { from, to }: Month) =>
  // every space: days refer to the operator's provider account
  db.query<DaySignature>(sql`
    select distinct on (provider_id, day) provider_id, day::text as date, closed_by as by, closed_at as at
    from closed_days
    where environment = ${environment} and day between ${from}::date and ${to}::date and reopened_at is null
    order by provider_id, day, closed_at desc`)

/** Settlements of a provider. Amounts are in minor units, as text. */
export type Settled = {
  providerId: string
  kind: SettlementKind
  currency: string
  bookedCount: number
  bookedAmount: string
  statedCount: number
  statedAmount: string
}

/** Adds up the settlements whose value date is in the month and which are not reversed. */
export const selectSettled = (db: Reader, view: View, { from, to }: Month) =>
  // every space: the operator's view covers all of them
  db.query<Settled>(sql`
    select provider_id, kind, currency, count(*)::int as booked_count, sum(amount)::text as booked_amount,
      (count(*) filter (where is_stated))::int as stated_count,
      coalesce(sum(amount) filter (where is_stated), 0)::text as stated_amount
    from (
      select s.*, exists (
        select 1 from ${linesOfReference(sql`s`, sql`s.ledger_reference`)} line
        where exists (
            select 1 from statement_lines stated
            where stated.space_id = line.space_id and stated.environment = line.environment
              and stated.account_id = line.account_id and stated.seq = line.seq)
          or exists (
            select 1 from item_closings closing
            where closing.space_id = line.space_id and closing.environment = line.environment
              and closing.account_id = line.account_id and closing.seq = line.seq)
      ) as is_stated
      from settlements s
      where ${inView(sql`s`, view)} and s.value_date between ${from} and ${to} and s.reversed_at is null
    ) settled
    group by provider_id, kind, currency order by provider_id, kind, currency`)

/** An amount that a provider owes or owed, in minor units, as text. */
export type OwedByProvider = {
  providerId: string
  direction: Direction
  currency: string
  amount: string
  /** What was settled after the end of the month. */
  paidSince: string
}

/**
 * Adds up the amounts that providers owed at the end of a month, in the time zone of each Space, or owe now if it is not
 * over. Bookings that are not in the daily totals yet are assumed to be later than a month that is over.
 */
export const selectOwed = (db: Reader, view: View, { to }: Month, today: string) => {
  // every space: the operator's view covers all of them
  const summed = sql`
    coalesce((
      select balance_after_line(tally.space_id, tally.environment, tally.account_id, tally.seq) from clearing_tallies tally
      where tally.space_id = account.space_id and tally.environment = account.environment
        and tally.account_id = account.id
    ), 0) + coalesce(later.amount, 0)`
  // every space: the operator's view covers all of them
  return db.query<OwedByProvider>(sql`
    select provider_id, direction, currency, (-sum(balance))::text as amount, sum(settled)::text as paid_since
    from (
      select provider_id, direction, currency, ${to < today ? summed : sql`posted`} as balance,
        coalesce(later.settled, 0) as settled
      from ledger_accounts account
      left join (
        select space_id, environment, account_id, sum(amount) as amount,
          -sum(amount) filter (where type = 'settlement') as settled
        from clearing_days day
        where ${inView(sql`day`, view)} and date > ${to}::date
        group by space_id, environment, account_id
      ) later on later.space_id = account.space_id and later.environment = account.environment
        and later.account_id = account.id
      where kind = 'clearing' and ${inView(sql`account`, view)}
    ) accounts
    group by provider_id, direction, currency having sum(balance) <> 0
    order by provider_id, direction, currency`)
}
