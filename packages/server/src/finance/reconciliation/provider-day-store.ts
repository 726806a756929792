import { archivedSeq } from '../../ledger/accounts/carried-balances.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import { text } from '../../platform/db/columns.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Dates } from './clearing-day-store.ts'
import { clearingAccounts } from './clearing-store.ts'
import { items } from './report-store.ts'

/** Returns the providers with statements or clearing accounts. */
export const selectProviderIds = (db: Reader, environment: Environment) =>
  // every space: all Spaces share the operator's provider account
  db.query<{ providerId: string }>(sql`
    select provider_id from statements where environment = ${environment}
    union
    select provider_id from ledger_accounts where kind = 'clearing' and environment = ${environment}
    order by provider_id`)

/** A provider with the time zone of its country. */
export type ZonedProvider = { providerId: string; timeZone: string }

const zonedProviders = unnest<ZonedProvider>({ providerId: text, timeZone: text })

/**
 * Returns the current date in each provider's time zone, and the first day to reconcile: the first day that a
 * statement covers from its beginning or, if earlier, the day of the first booking. `first` is `null` if there is
 * neither.
 */
export const selectProviderDates = (
  db: Reader,
  environment: Environment,
  providers: ZonedProvider[],
  now: Date,
) =>
  // every space: all Spaces share the operator's provider account
  db.query<ZonedProvider & { today: string; first: string | null }>(sql`
    select requested.provider_id, requested.time_zone, (${now}::timestamptz at time zone time_zone)::date::text as today,
      least(
        (select (min(from_at) at time zone time_zone - interval '1 microsecond')::date + 1 from statements
        where provider_id = requested.provider_id and environment = ${environment}),
        (select (min(line.at) at time zone time_zone)::date from ledger_accounts account
        join ledger_lines line on line.space_id = account.space_id and line.environment = account.environment
          and line.account_id = account.id and line.seq = ${archivedSeq(sql`account`, sql`account.id`)} + 1
        where account.kind = 'clearing' and account.environment = ${environment}
          and account.provider_id = requested.provider_id)
      )::text as first
    from ${zonedProviders(providers)}`)

/** Returns, for each provider, the day of the first booking that reconciliation has not read yet, if there is one. */
export const selectUnseenFrom = (db: Reader, environment: Environment, providers: ZonedProvider[]) =>
  // every space: all Spaces share the operator's provider account
  db.query<{ providerId: string; unseenFrom: string }>(sql`
    select account.provider_id, min((line.at at time zone time_zone)::date)::text as unseen_from
    from ${clearingAccounts({ environment })} account
    join ${zonedProviders(providers)} on requested.provider_id = account.provider_id
    join ledger_lines line on line.space_id = account.space_id and line.environment = account.environment
      and line.account_id = account.id and line.seq = account.seen + 1
    group by account.provider_id`)

/** Open items of a provider's day. The amount is in minor units, as text. */
export type OpenOnDay = {
  providerId: string
  date: string
  direction: Direction
  currency: string
  count: number
  amount: string
}

/** Returns the open items that statements cover, by day, latest first. Its cost depends on the number of open items. */
export const selectOpenByDay = (
  db: Reader,
  environment: Environment,
  providers: ZonedProvider[],
  { from, to }: Dates,
) =>
  // every space: all Spaces share the operator's provider account
  db.query<OpenOnDay>(sql`
    with ${items({ environment })}
    select item.provider_id, date::text, item.direction, coalesce(our_currency, their_currency) as currency,
      count(*)::int as count, sum(coalesce(our_amount, their_amount))::text as amount
    from items item
    join ${zonedProviders(providers)} on requested.provider_id = item.provider_id
    cross join lateral (select (item.at at time zone time_zone)::date as date) day
    where item.state <> 'awaited' and date between ${from}::date and ${to}::date
    group by 1, 2, 3, 4 order by date::text desc, provider_id, direction, currency`)
