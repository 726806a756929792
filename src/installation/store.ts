import type { Reader } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { inPage } from '../platform/http/filters.ts'
import type { Page } from '../platform/http/route.ts'
import type { Space } from '../spaces/spaces.ts'

/** A Space as operators see it: what there is of each kind is counted no further than `maxCounted`. */
export type CountedSpace = Space & { memberCount: number; openCaseCount: number }

export const maxCounted = 100 // limit: members and open cases that a Space of the operator’s list counts

export const selectCountedSpaces = (db: Reader, { take, ...page }: Page) =>
  db.query<CountedSpace>(sql`
    ${counted(sql`select * from spaces where true ${inPage({ take, ...page })} order by id desc limit ${take}`)}
    order by space.id desc`)

export const selectCountedSpace = (db: Reader, id: string) =>
  db.one<CountedSpace>(counted(sql`select * from spaces where id = ${id}`))

// every space: these are the operator's, who has all of them
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
