import type { Reader } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { firstId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'

const dayMs = 86_400_000
const maxPayments = 2_000 // newest payments of a day used for success rates
export const maxUnknown = 1_000 // objects without an outcome, counted per kind

/**
 * Counts the newest payments of the last 24 hours, by provider and outcome, with the most common reason for
 * failures.
 */
export const selectOutcomes = (db: Reader, { spaceId, environment }: Scope, now: Date) =>
  db.query<{
    providerId: string
    completed: number
    failed: number
    underWay: number
    topFailure: string | null
  }>(sql`
    select provider_id, count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status in ('pending', 'processing'))::int as under_way,
      mode() within group (order by failure_code) as top_failure
    from (
      select provider_id, status, failure_code from payments
      where space_id = ${spaceId} and environment = ${environment} and id >= ${firstId(new Date(now.getTime() - dayMs))}
      order by id desc limit ${maxPayments}
    ) newest
    group by provider_id
    order by provider_id`)

/** Counts the outcomes of each day's newest payments. Days begin at these times; the last one has not ended. */
export const selectDailyOutcomes = (db: Reader, { spaceId, environment }: Scope, begins: Date[]) =>
  Promise.all(
    begins.map((begin, i) => {
      const end = begins[i + 1]
      return db.only<{ completed: number; failed: number }>(sql`
        select count(*) filter (where status = 'completed')::int as completed,
          count(*) filter (where status = 'failed')::int as failed
        from (
          select status from payments
          where space_id = ${spaceId} and environment = ${environment} and id >= ${firstId(begin)}
            ${end === undefined ? nothing : sql`and id < ${firstId(end)}`}
          order by id desc limit ${maxPayments}
        ) newest`)
    }),
  )

/** Returns the time at which each date begins in a time zone, in the given order. */
export const selectBegins = async (db: Reader, dates: string[], timeZone: string): Promise<Date[]> =>
  (
    await db.query<{ begin: Date }>(sql`
      select date::timestamp at time zone ${timeZone} as begin
      from unnest(${dates}::text[]) with ordinality as dates (date, place) order by place`)
  ).map(({ begin }) => begin)

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
