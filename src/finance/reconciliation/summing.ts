import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

// Each line is summed once, in sequence order, after it has been booked. Booking never waits for a sum, and a
// request sums only the lines that were booked since the last request.

const maxLinesAtOnce = 20_000 // clearing account lines summed by one overview request

/** A clearing account with lines that have not been summed yet. */
type UnsummedAccount = Scope & { accountId: string; country: string }

/** Returns the clearing accounts with unsummed lines, either of one Space or of all Spaces. */
const selectUnsummedAccounts = (db: Reader, scope: Scope | undefined, limit: number) =>
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
async function sumNextLines(
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

const maxAccounts = 200 // clearing accounts summed by one overview request

/** Sums the lines that were booked since the last request. Returns true if none are left. */
export async function sumNewLines(db: Database, scope: Scope): Promise<boolean> {
  let left = maxLinesAtOnce
  for (const account of await selectUnsummedAccounts(db, scope, maxAccounts)) {
    if (left <= 0) break
    left -= await db.transaction((tx) => sumNextLines(tx, account, left))
  }
  return (await selectUnsummedAccounts(db, scope, 1)).length === 0
}

/** Sums the remaining lines of all Spaces, so that even the first request of a Space in months is fast. */
export async function sumNewLinesOfAllSpaces(db: Database, stopping: AbortSignal): Promise<void> {
  for (const account of await selectUnsummedAccounts(db, undefined, maxAccountsAtOnce))
    while (!stopping.aborted) {
      const step = (tx: Tx) => sumNextLines(tx, account, maxLinesAtOnce)
      if ((await db.transaction(step)) < maxLinesAtOnce) break
    }
}

const maxAccountsAtOnce = 10_000 // clearing accounts summed by the hourly job
