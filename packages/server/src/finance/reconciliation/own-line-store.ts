import type { Direction } from '../../ledger/accounts/store.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { clearingAccounts, isBookedClosed } from './clearing-store.ts'
import { isReversed } from './report-store.ts'

// The part of reconciliation that a Space can see: its own lines. Statement lines that do not match any of them
// belong to the operator's account at the provider and are not shown.

const maxOpenLines = 2_000 // number of newest open lines that are read for each clearing account of a Space

/**
 * A booked line that no statement line matches and that was neither reversed nor closed by an operator. `date`
 * is a day in the Space's time zone. The amount is in minor units.
 */
export type OwnOpenLine = {
  providerId: string
  direction: Direction
  /**
   * Direction of the clearing account. It can differ from the direction of the line, because a settlement can
   * take money out of a collection account.
   */
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
    and not ${isBookedClosed(sql`booked`)} and not ${isReversed}`

export const findOwnOpenLines = (db: Reader, scope: Scope, timeZone: string) =>
  db.query<OwnOpenLine>(sql`
    select booked.provider_id, booked.direction, account.direction as account_direction,
      (booked.booked_at at time zone ${timeZone})::date::text as date, booked.amount, booked.currency
    from ${ownOpenLines(scope)}`)

/**
 * `differs`: statements cover the time of the line but do not show the line; `awaited`: no statement covers
 * that time yet.
 */
export const ownItemStates = ['awaited', 'differs'] as const

/** One open line. The amount is in minor units. */
export type OwnItem = {
  accountId: string
  seq: bigint
  state: (typeof ownItemStates)[number]
  /** Day in the Space's time zone. */
  date: string
  providerId: string
  /** Direction of the clearing account. */
  direction: Direction
  at: Date
  /**
   * Amount with the same sign as in the totals of the account: it is negative if the money moved in the
   * opposite direction.
   */
  amount: bigint
  currency: string
  objectType: string | null
  objectId: string | null
}

/** Filters for open lines. `date` is a day in the Space's time zone. */
export type OwnItemFilter = {
  date?: string | undefined
  provider?: string | undefined
  direction?: Direction | undefined
  state?: OwnItem['state'] | undefined
}

/**
 * Returns the position of a line in a paged list. The time alone is not enough, because several lines may be
 * booked at the same moment, on one or more accounts.
 */
export const positionOf = ({ at, accountId, seq }: OwnItem) => `${at.toISOString()} ${accountId} ${seq}`

/** Returns a page of open lines, newest first. */
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
    // Reads the newest lines of each account along the index, regardless of the planner's estimates.
    await reader.query(walkPlannerSettings)
    return reader.query<OwnItem>(page)
  })
}

const coveredPeriods = (environment: Environment) =>
  // every space: statements cover the operator's provider account
  sql`
  select provider_id, range_agg(tstzrange(from_at, until_at)) as periods from statements
  where environment = ${environment} group by provider_id`

/**
 * The progress of reconciliation on a clearing account. `unseenFrom` is the day of the first line that has not
 * been read yet. `unreadUntil` is the last day with open lines that are left out because there are too many.
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

/** A range of days, inclusive, that a provider's statements cover completely. Adjacent statements are joined. */
export type Covered = { providerId: string; from: string; to: string }

/** Returns the days between two dates, inclusive, that statements cover completely, as ranges per provider. */
export const selectCovered = (
  db: Reader,
  environment: Environment,
  timeZone: string,
  { from, to }: { from: string; to: string },
) =>
  // every space: statements cover the operator's provider account
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

/** Returns the days between two dates, inclusive, that an operator closed, by provider. */
export const findClosedDays = (db: Reader, environment: Environment, from: string, to: string) =>
  // every space: days refer to the operator's provider account
  db.query<{ providerId: string; day: string }>(sql`
    select distinct provider_id, day::text from closed_days
    where environment = ${environment} and day between ${from}::date and ${to}::date and reopened_at is null`)
