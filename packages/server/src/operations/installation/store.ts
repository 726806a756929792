import type { Reader } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import { firstId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Space } from '../../tenants/spaces/store.ts'

/** A Space as operators see it. Its counts stop at `maxCounted`. */
export type CountedSpace = Space & { memberCount: number; openCaseCount: number }

export const spaceStatuses = ['active', 'suspended'] as const
export type SpaceStatus = (typeof spaceStatuses)[number]

export const maxCounted = 100 // members and open cases counted per Space in the operator’s list

export const selectCountedSpaces = (db: Reader, status: SpaceStatus | undefined, page: Page) =>
  db.query<CountedSpace>(sql`
    ${counted(sql`
      select * from spaces where true ${isOf(status)} ${inPage(page)} order by id desc limit ${page.take}`)}
    order by space.id desc`)

/**
 * Returns an SQL condition that a Space has this status, or no condition if `status` is undefined. Only a few
 * Spaces are suspended, and they have a separate index.
 */
const isOf = (status: SpaceStatus | undefined) =>
  status === undefined
    ? nothing
    : status === 'suspended'
      ? sql`and suspended_at is not null`
      : sql`and suspended_at is null`

export const selectCountedSpace = (db: Reader, id: string) =>
  db.one<CountedSpace>(counted(sql`select * from spaces where id = ${id}`))

// every space: the operator's list contains all of them
const counted = (spaces: Sql): Sql<CountedSpace> => sql`
  select space.id, space.name, space.country, space.created_at, space.suspended_at, space.suspended_by,
    space.suspension_reason,
    (select count(*)::int from (
      select 1 from members where space_id = space.id limit ${maxCounted}) member) as member_count,
    (select count(*)::int from (
      select 1 from (values ('test'::environment), ('live')) environments (name)
      cross join lateral (
        select 1 from ledger_cases
        where space_id = space.id and environment = environments.name and closed_at is null
        limit ${maxCounted} offset 0) open_case
      limit ${maxCounted}) open_case) as open_case_count
  from (${spaces}) space`

/** The completed payments that have the same amount: how many there are, and their total fees in minor units. */
export type ChargedAmount = {
  currency: string
  amount: bigint
  count: number
  charged: bigint
  /** Creation time of the oldest payment. */
  since: Date
}

/**
 * Returns the completed payments created since a time, grouped by amount. Only the newest `atMost` of them are
 * counted.
 */
export const selectCharged = (db: Reader, { spaceId, environment }: Scope, since: Date, atMost: number) =>
  db.query<ChargedAmount>(sql`
    select currency, amount, count(*)::int as count, min(created_at) as since,
      coalesce(sum((select sum((fee ->> 'amount')::bigint) from jsonb_array_elements(fees) fee)), 0)::bigint as charged
    from (
      select currency, amount, fees, created_at from payments
      where space_id = ${spaceId} and environment = ${environment} and status = 'completed' and id >= ${firstId(since)}
      order by id desc limit ${atMost}
    ) payment
    group by currency, amount`)
