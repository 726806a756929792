import type { Direction } from '../ledger/accounts.ts'
import type { Database, Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { plannedAsWalk } from '../platform/db/walk.ts'
import type { Page } from '../platform/http/route.ts'
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
  amount: bigint
  currency: string
}

const ownOpenLines = ({ spaceId, environment }: Scope) => sql`
  ledger_accounts account
  cross join lateral (
    select * from open_clearing_lines line
    where line.space_id = ${spaceId} and line.environment = ${environment} and line.account_id = account.id
    order by line.seq desc limit ${maxOpenLines}
  ) booked
  where account.space_id = ${spaceId} and account.environment = ${environment} and account.kind = 'clearing'
    and not ${isBookedClosed(sql`booked`)} and not ${isTakenBack}`

export const findOwnOpenLines = (db: Reader, scope: Scope, timeZone: string) =>
  db.query<OwnOpenLine>(sql`
    select booked.provider_id, booked.direction, account.direction as account_direction,
      (booked.booked_at at time zone ${timeZone})::date::text as date, booked.amount, booked.currency
    from ${ownOpenLines(scope)}`)

/** `differs`: statements cover the moment of a line, and none shows it; `awaited`: none covers it. */
export const ownItemStates = ['awaited', 'differs'] as const

/** An open line, one by one. Amount in minor units. */
export type OwnItem = {
  accountId: string
  seq: bigint
  state: (typeof ownItemStates)[number]
  /** Where the Space is. */
  date: string
  providerId: string
  /** Of its account. */
  direction: Direction
  at: Date
  /** As the sums of its account have it: below zero where it went the other way. */
  amount: bigint
  currency: string
  objectType: string | null
  objectId: string | null
}

/** What is left where a filter is: `date` is a day where the Space is. */
export type OwnItemFilter = {
  date?: string | undefined
  provider?: string | undefined
  direction?: Direction | undefined
  state?: OwnItem['state'] | undefined
}

/** Where a page of them ends: booked at the same moment on several accounts, or several times on one. */
export const positionOf = ({ at, accountId, seq }: OwnItem) => `${at.toISOString()} ${accountId} ${seq}`

/** A page of them, the newest first. */
export async function selectOwnItems(
  db: Database,
  scope: Scope,
  timeZone: string,
  { date, provider, direction, state }: OwnItemFilter,
  { take, after }: Page,
) {
  const [at = null, accountId = null, seq = null] = after?.split(' ') ?? []
  const page = sql`
    select * from (
      select booked.account_id, booked.seq, booked.provider_id, booked.account_direction as direction,
        booked.booked_at as at,
        case when booked.direction = booked.account_direction then booked.amount else -booked.amount end as amount,
        booked.currency, booked.object_type, booked.object_id,
        (booked.booked_at at time zone ${timeZone})::date::text as date,
        case when booked.booked_at <@ covered.periods then 'differs' else 'awaited' end as state
      from (
        select booked.*, account.direction as account_direction from ${ownOpenLines(scope)}
          and (${provider ?? null}::text is null or account.provider_id = ${provider ?? null})
          and (${direction ?? null}::text is null or account.direction = ${direction ?? null})
      ) booked
      left join (${coveredPeriods(scope.environment)}) covered on covered.provider_id = booked.provider_id
    ) item
    where (${date ?? null}::text is null or date = ${date ?? null})
      and (${state ?? null}::text is null or state = ${state ?? null})
      and (${at}::timestamptz is null or (at, account_id, seq) < (${at}, ${accountId}::uuid, ${seq}::bigint))
    order by at desc, account_id desc, seq desc limit ${take}`
  return db.snapshot(async (reader) => {
    // Account by account along the index, the newest lines of each, whatever the planner thinks of how many there are.
    await reader.query(plannedAsWalk)
    return reader.query<OwnItem>(page)
  })
}

const coveredPeriods = (environment: Environment) =>
  // every space: a statement is of the operator's account at a provider
  sql`
  select provider_id, range_agg(tstzrange(from_at, until_at)) as periods from statements
  where environment = ${environment} group by provider_id`

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
