import type { Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { firstId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'

const dayMs = 86_400_000
const maxPayments = 2_000 // newest payments of a day used for success rates
export const maxUnknown = 1_000 // objects without an outcome, counted per kind

/** Counts the newest payments of the last 24 hours, by provider and outcome. */
export const selectOutcomes = (db: Reader, { spaceId, environment }: Scope, now: Date) =>
  db.query<{ providerId: string; completed: number; failed: number; underWay: number }>(sql`
    select provider_id, count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status in ('pending', 'processing'))::int as under_way
    from (
      select provider_id, status from payments
      where space_id = ${spaceId} and environment = ${environment} and id >= ${firstId(new Date(now.getTime() - dayMs))}
      order by id desc limit ${maxPayments}
    ) newest
    group by provider_id
    order by provider_id`)

const unknownAges = { '10m': 600_000, '1h': 3_600_000, '1d': dayMs } as const
type Age = keyof typeof unknownAges
const stuckTables = { payments: sql`payments`, payouts: sql`payouts`, refunds: sql`refunds` } as const
export const stuckKinds = ['payments', 'payouts', 'refunds'] as const satisfies (keyof typeof stuckTables)[]

/** Counts the objects that were sent but have no outcome, by age. Reads the oldest objects first. */
export const selectUnknown = async (db: Reader, scope: Scope, now: Date) =>
  Promise.all(
    stuckKinds.map(async (of) => ({ of, ...(await countUnknown(db, stuckTables[of], scope, now)) })),
  )

function countUnknown(db: Reader, table: Sql, { spaceId, environment }: Scope, now: Date) {
  const before = (age: Age) => new Date(now.getTime() - unknownAges[age])
  return db.only<Record<'over10Minutes' | 'overHour' | 'overDay', number>>(sql`
    select count(*)::int as over10_minutes, count(*) filter (where created_at < ${before('1h')})::int as over_hour,
      count(*) filter (where created_at < ${before('1d')})::int as over_day
    from (
      select created_at from ${table}
      where space_id = ${spaceId} and environment = ${environment} and status = 'processing'
        and id < ${firstId(before('10m'))}
      order by id limit ${maxUnknown}
    ) oldest`)
}
