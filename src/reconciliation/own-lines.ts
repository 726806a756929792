import type { Direction } from '../ledger/accounts.ts'
import type { Reader } from '../platform/db/database.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import type { Environment, Scope } from '../platform/scope.ts'
import { clearingAccounts, isBookedClosed } from './clearing-store.ts'
import { isTakenBack } from './report-store.ts'

// What a Space sees of reconciliation: its own lines. Lines of statements that nothing of it was matched with are of the
// operator's account at a provider, and nobody else's affair.

const maxOpenLines = 2_000 // limit: open lines of a clearing account that a Space's reconciliation reads, the newest

/** A line that no statement shows, and nobody has explained. `date`: where the Space is. Amount in minor units. */
export type OwnOpenLine = {
  providerId: string
  direction: Direction
  /** Of its account: what is settled leaves one that things come in on. */
  accountDirection: Direction
  date: string
  at: Date
  amount: bigint
  currency: string
  objectType: string | null
  objectId: string | null
}

/** The newest first, at one provider or all. */
export const findOwnOpenLines = (
  db: Reader,
  { spaceId, environment }: Scope,
  timeZone: string,
  providerId?: string,
) =>
  db.query<OwnOpenLine>(sql`
    select booked.provider_id, booked.direction, account.direction as account_direction, (booked.booked_at at time zone ${timeZone})::date::text as date,
      booked.booked_at as at, booked.amount, booked.currency, booked.object_type, booked.object_id
    from ledger_accounts account
    cross join lateral (
      select * from open_clearing_lines line
      where line.space_id = ${spaceId} and line.environment = ${environment} and line.account_id = account.id
      order by line.seq desc limit ${maxOpenLines}
    ) booked
    where account.space_id = ${spaceId} and account.environment = ${environment} and account.kind = 'clearing'
      ${providerId === undefined ? nothing : sql`and account.provider_id = ${providerId}`}
      and not ${isBookedClosed(sql`booked`)} and not ${isTakenBack}
    order by booked.booked_at desc`)

/**
 * How far reconciliation has come with a clearing account. `unseenFrom`: the day of its first line that was not looked at yet;
 * `unreadUntil`: the last day of which open lines are left out, because there are too many.
 */
export type OwnProgress = {
  accountId: string
  providerId: string
  direction: Direction
  currency: string
  unseenFrom: string | null
  unreadUntil: string | null
}

export const findOwnProgress = (db: Reader, { spaceId, environment }: Scope, timeZone: string) =>
  db.query<OwnProgress>(sql`
    select account.id as account_id, account.provider_id, account.direction, account.currency, (
        select (line.at at time zone ${timeZone})::date::text from ledger_lines line
        where line.space_id = ${spaceId} and line.environment = ${environment} and line.account_id = account.id
          and line.seq = account.seen + 1
      ) as unseen_from, (
        select (line.booked_at at time zone ${timeZone})::date::text from open_clearing_lines line
        where line.space_id = ${spaceId} and line.environment = ${environment} and line.account_id = account.id
        order by line.seq desc offset ${maxOpenLines} limit 1
      ) as unread_until
    from ${clearingAccounts({ environment })} account
    where account.space_id = ${spaceId} and account.environment = ${environment}`)

/** Days that statements of a provider cover whole, both included: some follow on others without a gap. */
export type Covered = { providerId: string; from: string; to: string }

/** Those between two days, both included. */
export const findCovered = (
  db: Reader,
  environment: Environment,
  timeZone: string,
  { from, to }: { from: string; to: string },
) =>
  // every space: a statement is of the operator's account at a provider
  db.query<Covered>(sql`
    select provider_id,
      ((lower(period) at time zone ${timeZone} - interval '1 microsecond')::date + 1)::text as from,
      ((upper(period) at time zone ${timeZone})::date - 1)::text as to
    from (
      select provider_id, unnest(range_agg(tstzrange(from_at, until_at))) as period from statements
      where environment = ${environment} and until_at > ${from}::date::timestamp at time zone ${timeZone}
        and from_at < (${to}::date + 1)::timestamp at time zone ${timeZone}
      group by provider_id
    ) covered`)

/** The days of providers that an operator has closed, between two, both included. */
export const findClosedDays = (db: Reader, environment: Environment, from: string, to: string) =>
  // every space: a day is of the operator's account at a provider
  db.query<{ providerId: string; day: string }>(sql`
    select distinct provider_id, day::text from closed_days
    where environment = ${environment} and day between ${from}::date and ${to}::date and reopened_at is null`)
