import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

const dayMs = 86_400_000
const retainedDays = 7 // limit: days that requests are kept in the request log
const retainLock = 715_012

/** Creates the partitions for the given days if they do not exist yet. */
export const makePartitions = (tx: Tx, days: string[]) =>
  // every space: a partition holds rows of all Spaces
  tx.query(sql`select create_api_request_partition(day) from unnest(${days}::date[]) as day`)

/**
 * Returns true if the partition for a request's time exists or can be created. A stream is logged only when it
 * ends, by which time its partition may have been dropped.
 */
export function isKept(at: Date, now: Date): boolean {
  const daysAgo = (startOfDay(now) - startOfDay(at)) / dayMs
  return daysAgo < retainedDays && daysAgo >= -1
}

/**
 * Creates partitions in advance and drops those of days that ended seven days ago, so that rows are never
 * deleted one by one and writers never wait. An advisory lock ensures that only one node does this at a time.
 * If a run is interrupted, the next one completes it. `now` is wall-clock time.
 */
export async function retainRequests(db: Database, now: Date): Promise<void> {
  await db.transaction((tx) => makePartitions(tx, [dayOf(now, 0), dayOf(now, 1)]))
  await db.alone(retainLock, async () => {
    for (const table of await selectExpired(db, now)) await drop(db, table)
  })
}

/** A partition that has expired. `isPending` is true if detaching it was interrupted. */
type ExpiredTable = { parent: 'api_requests'; name: string; isAttached: boolean; isPending: boolean }

/**
 * Detaches a partition and drops it. Detaches it concurrently, which does not block readers or writers but
 * cannot run in a transaction.
 */
async function drop(
  { pool }: Database,
  { parent, name, isAttached, isPending }: ExpiredTable,
): Promise<void> {
  const how = isPending ? 'finalize' : 'concurrently'
  if (isAttached) await pool.query(`alter table ${parent} detach partition ${name} ${how}`)
  await pool.query(`drop table ${name}`)
}

/** Selects the expired partitions. Finds them by table name, because some may already be detached. */
const selectExpired = (db: Reader, now: Date) =>
  // every space: a partition holds rows of all Spaces
  db.query<ExpiredTable>(sql`
    select 'api_requests' as parent, relname as name, inhrelid is not null as is_attached, coalesce(inhdetachpending, false) as is_pending
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname ~ '^api_requests_\\d{8}$'
      and relname < ${`api_requests_${dayOf(now, -retainedDays).replaceAll('-', '')}`}
    order by is_pending desc, relname`)

/** Returns the time in milliseconds at which the UTC day of a time began. */
export const startOfDay = (at: Date) => at.getTime() - (at.getTime() % dayMs)

/** Returns the UTC date `later` days after a time, in the form `2026-11-23`. */
export const dayOf = (at: Date, later: number) =>
  new Date(at.getTime() + later * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)
