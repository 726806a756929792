import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

/** The total of a day for one currency and one type of object. */
type DayTotalRow = { date: string; currency: string; type: string; amount: bigint; count: bigint }

/** Returns the totals for the days from `from` to `to`, inclusive. */
export async function selectDayTotals(
  db: Reader,
  { spaceId, environment }: Scope,
  from: string,
  to: string,
): Promise<DayTotalRow[]> {
  type Row = Omit<DayTotalRow, 'amount'> & { amount: string }
  const rows = await db.query<Row>(sql`
    select day.date::text as date, account.currency, day.type, sum(day.amount)::text as amount,
      sum(day.count)::bigint as count
    from clearing_days day
    join ledger_accounts account on account.space_id = day.space_id and account.environment = day.environment
      and account.id = day.account_id
    where day.space_id = ${spaceId} and day.environment = ${environment}
      and day.date between ${from}::date and ${to}::date
    group by day.date, account.currency, day.type
    order by day.date, account.currency`)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** The total that a Space booked on a clearing account on one day. The amount is in minor units. */
export type Booked = {
  accountId: string
  date: string
  providerId: string
  direction: Direction
  currency: string
  count: bigint
  amount: bigint
}

/** The first and the last day of a period, inclusive. */
export type Dates = { from: string; to: string }

/** Returns the booked totals. Reads one row per day, account and object type, regardless of the number of lines. */
export async function selectBooked(
  db: Reader,
  { spaceId, environment }: Scope,
  { from, to }: Dates,
): Promise<Booked[]> {
  const rows = await db.query<Omit<Booked, 'amount'> & { amount: string }>(sql`
    select day.date::text as date, day.account_id, account.provider_id, account.direction, account.currency,
      sum(day.count)::bigint as count,
      (sum(day.amount) * case account.direction when 'collection' then 1 else -1 end)::text as amount
    from clearing_days day
    join ledger_accounts account on account.space_id = day.space_id and account.environment = day.environment
      and account.id = day.account_id
    where day.space_id = ${spaceId} and day.environment = ${environment}
      and day.date between ${from}::date and ${to}::date
    group by day.date, day.account_id, account.provider_id, account.direction, account.currency
    order by day.date desc, account.provider_id, account.direction, account.currency`)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** A clearing account with lines that have not been summed yet. */
type UnsummedAccount = Scope & { accountId: string; country: string }

/** Returns the clearing accounts with unsummed lines, either of one Space or of all Spaces. */
export const selectUnsummedAccounts = (db: Reader, scope: Scope | undefined, limit: number) =>
  db.query<UnsummedAccount>(sql`
    select account.space_id, account.environment, account.id as account_id, space.country
    from ledger_accounts account
    join spaces space on space.id = account.space_id
    left join clearing_tallies tally on tally.space_id = account.space_id
      and tally.environment = account.environment and tally.account_id = account.id
    where account.kind = 'clearing' and account.next_seq > coalesce(tally.seq, 0) + 1
      ${scope ? sql`and account.space_id = ${scope.spaceId} and account.environment = ${scope.environment}` : nothing}
    limit ${limit}`)

/**
 * Sums the next lines of an account, unless another transaction is already summing them.
 *
 * @returns the number of lines summed
 */
export async function sumNextLines(
  tx: Tx,
  { spaceId, environment, accountId, country }: UnsummedAccount,
  take: number,
): Promise<number> {
  await tx.run(sql`
    insert into clearing_tallies (space_id, environment, account_id, seq)
    values (${spaceId}, ${environment}, ${accountId}, 0)
    on conflict do nothing`)
  const last = await tx.one<{ seq: bigint }>(sql`
    select seq from clearing_tallies
    where space_id = ${spaceId} and environment = ${environment} and account_id = ${accountId}
    for update skip locked`)
  if (!last) return 0
  const { count } = await tx.only<{ count: number }>(sql`
    with lines as (
      select seq, (at at time zone ${timeZoneOf(country)})::date as date, amount,
        coalesce(owners -> 0 ->> 'type', '') as type
      from ledger_lines
      where space_id = ${spaceId} and environment = ${environment} and account_id = ${accountId} and seq > ${last.seq}
      order by seq limit ${take}
    ), summed as (
      insert into clearing_days as day (space_id, environment, date, account_id, type, amount, count)
      select ${spaceId}, ${environment}, date, ${accountId}, type, -sum(amount), count(*) from lines group by date, type
      on conflict (space_id, environment, date, account_id, type) do update
        set amount = day.amount + excluded.amount, count = day.count + excluded.count
    ), moved as (
      update clearing_tallies set seq = coalesce((select max(seq) from lines), seq)
      where space_id = ${spaceId} and environment = ${environment} and account_id = ${accountId}
    )
    select count(*)::int as count from lines`)
  return count
}
