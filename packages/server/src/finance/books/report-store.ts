import { boundary } from '../../ledger/accounts/boundaries.ts'
import { lineClearing } from '../../ledger/accounts/line-providers.ts'
import type { TimeRange } from '../../ledger/accounts/range.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import type { Reader } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

/**
 * A day or a month. `from` and `to` do not extend beyond the range of the report. `date` is the first day of
 * the whole period, in the report's time zone.
 */
export type ReportPeriod = { date: string; from: Date; to: Date }

export type Interval = 'day' | 'month'

/** Returns the periods of a range, oldest first. */
export const selectPeriods = (db: Reader, { from, to, timeZone }: TimeRange, interval: Interval) =>
  db.query<ReportPeriod>(sql`
    select to_char(start, 'YYYY-MM-DD') as date, greatest(start at time zone ${timeZone}, ${from}::timestamptz) as from,
      least((start + step) at time zone ${timeZone}, ${to}::timestamptz) as to
    from (select ('1 ' || ${interval}::text)::interval as step) steps
    cross join generate_series(
      date_trunc(${interval}::text, ${from}::timestamptz at time zone ${timeZone}),
      ${to}::timestamptz at time zone ${timeZone}, step) start
    where start at time zone ${timeZone} < ${to}::timestamptz
    order by start`)

export type AccountBalance = { id: string; currency: string; balance: bigint }

/**
 * Returns the balances, at a given moment, of the merchant accounts that existed at that moment. Starts after
 * the account with a given id.
 */
export const selectBalancesAt = (
  db: Reader,
  { spaceId, environment }: Scope,
  {
    moment,
    accountId,
    after,
    ordered,
    take,
  }: {
    moment: Date
    accountId: string | undefined
    after: string
    ordered: boolean
    take: number
  },
) =>
  db.query<AccountBalance>(sql`
    select account.id, account.currency, ending.balance
    from (
      select account.space_id, account.environment, account.id, account.currency, account.next_seq
      from financial_accounts financial
      join ledger_accounts account on account.space_id = financial.space_id
        and account.environment = financial.environment and account.id = financial.id
      where financial.space_id = ${spaceId} and financial.environment = ${environment} and financial.id > ${after}
        ${accountId === undefined ? nothing : sql`and financial.id = ${accountId}`}
        and financial.created_at < ${moment}
      order by financial.id limit ${take}
    ) account
    cross join lateral ${boundary(sql`account`, sql`${moment}::timestamptz`, ordered)} ending
    order by account.id`)

/**
 * Movements on a clearing account in a period, by type of object. Positive amounts are money that the provider
 * received.
 */
export type ClearingMovement = {
  providerId: string
  direction: Direction
  currency: string
  opening: bigint
  closing: bigint
  moved: { type: string; amount: string; count: number }[]
}

export const selectClearing = (
  db: Reader,
  { spaceId, environment }: Scope,
  { from, to }: ReportPeriod,
  providerId: string | undefined,
  ordered: boolean,
) => {
  const at = (moment: Date) => boundary(sql`account`, sql`${moment}::timestamptz`, ordered)
  return db.query<ClearingMovement>(sql`
    select account.provider_id, account.direction, account.currency, -opening.balance as opening,
      -closing.balance as closing, moved.moved
    from ledger_accounts account
    cross join lateral ${at(from)} opening
    cross join lateral ${at(to)} closing
    cross join lateral (
      select coalesce(json_agg(json_build_object('type', type, 'amount', amount, 'count', count)), '[]') as moved
      from (
        select owners -> 0 ->> 'type' as type, (-sum(amount))::text as amount, count(*) as count from ledger_lines line
        where line.space_id = account.space_id and line.environment = account.environment
          and line.account_id = account.id and line.seq between opening.first and closing.last
          and line.at >= ${from} and line.at < ${to}
        group by owners -> 0 ->> 'type'
      ) by_type
    ) moved
    where account.space_id = ${spaceId} and account.environment = ${environment} and account.kind = 'clearing'
      ${providerId === undefined ? nothing : sql`and account.provider_id = ${providerId}`}
    order by account.provider_id, account.direction, account.currency`)
}

/**
 * The fees for one code, provider and currency. `providerId` is `null` if no provider moved the money.
 * `charged` is the total of the fees that were charged, and `returned` is the total of those that were
 * returned.
 */
export type FeeSum = {
  code: string
  providerId: string | null
  direction: Direction | null
  currency: string
  count: bigint
  charged: bigint
  returned: bigint
}

/** Adds up the lines of the fee accounts. The provider is taken from the other lines of each posting. */
export async function selectFees(
  db: Reader,
  { spaceId, environment }: Scope,
  { from, to }: Pick<ReportPeriod, 'from' | 'to'>,
  ordered: boolean,
): Promise<FeeSum[]> {
  const at = (moment: Date) => boundary(sql`account`, sql`${moment}::timestamptz`, ordered)
  type Row = Omit<FeeSum, 'charged' | 'returned'> & { charged: string; returned: string }
  const rows = await db.query<Row>(sql`
    select fee.code, fee.provider_id, fee.direction, fee.currency, count(*) as count,
      coalesce(sum(amount) filter (where amount > 0), 0)::text as charged,
      coalesce(-sum(amount) filter (where amount < 0), 0)::text as returned
    from (
      select coalesce(line.fee_code, '') as code, clearing.provider_id, clearing.direction, line.currency, line.amount
      from ledger_accounts account
      cross join lateral ${at(from)} opening
      cross join lateral ${at(to)} closing
      cross join lateral (
        select * from ledger_lines line
        where line.space_id = account.space_id and line.environment = account.environment
          and line.account_id = account.id and line.seq between opening.first and closing.last
          and line.at >= ${from} and line.at < ${to} offset 0
      ) line
      left join lateral ${lineClearing} clearing on true
      where account.space_id = ${spaceId} and account.environment = ${environment} and account.kind = 'fees'
    ) fee
    group by fee.code, fee.provider_id, fee.direction, fee.currency`)
  // Sums are selected as text, because they can exceed the range of a balance.
  return rows.map((row) => ({ ...row, charged: BigInt(row.charged), returned: BigInt(row.returned) }))
}

/** Returns the number that the next line of a Space's longest account will have. */
export const selectLongest = async (db: Reader, { spaceId, environment }: Scope) =>
  (
    await db.only<{ nextSeq: bigint }>(sql`
      select coalesce(max(next_seq), 0) as next_seq from ledger_accounts
      where space_id = ${spaceId} and environment = ${environment}`)
  ).nextSeq
