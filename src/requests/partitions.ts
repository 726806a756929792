import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

const dayMs = 86_400_000
const retainedDays = 7 // limit: days that a request is in the request log
const retainLock = 715_012

/** The partitions of these days, unless they are there. */
export const makePartitions = (tx: Tx, days: string[]) =>
  // every space: a partition holds rows of all
  tx.query(sql`select create_api_request_partition(day) from unnest(${days}::date[]) as day`)

/** Whether a request that came then still has a partition, or may have one: of a stream it is logged when it ends. */
export const isKept = (at: Date, now: Date) =>
  dayOf(at, 0) > dayOf(now, -retainedDays) && dayOf(at, 0) <= dayOf(now, 1)

/**
 * Makes partitions ahead, and drops those of days that ended seven days ago: nothing is deleted row by row, and writers never
 * wait. One node at a time does so; what is interrupted the next run finishes. `now` is real time.
 */
export async function retainRequests(db: Database, now: Date): Promise<void> {
  await db.transaction((tx) => makePartitions(tx, [dayOf(now, 0), dayOf(now, 1)]))
  const client = await db.pool.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_free', [retainLock])
    if (rows[0].is_free) for (const table of await selectExpired(db, now)) await drop(db, table)
  } finally {
    client.release(true)
  }
}

/** `isPending`: its detaching was interrupted. */
type ExpiredTable = { parent: 'api_requests'; name: string; isAttached: boolean; isPending: boolean }

/** Detached concurrently: that cannot run in a transaction, and nobody who reads or writes waits for it. */
async function drop(
  { pool }: Database,
  { parent, name, isAttached, isPending }: ExpiredTable,
): Promise<void> {
  const how = isPending ? 'finalize' : 'concurrently'
  if (isAttached) await pool.query(`alter table ${parent} detach partition ${name} ${how}`)
  await pool.query(`drop table ${name}`)
}

/** By their names, so that one that was detached already is found, too. */
const selectExpired = (db: Reader, now: Date) =>
  // every space: a partition holds rows of all
  db.query<ExpiredTable>(sql`
    select 'api_requests' as parent, relname as name, inhrelid is not null as is_attached, coalesce(inhdetachpending, false) as is_pending
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname ~ '^api_requests_\\d{8}$'
      and relname < ${`api_requests_${dayOf(now, -retainedDays).replaceAll('-', '')}`}
    order by is_pending desc, relname`)

/** `2026-11-23` */
export const dayOf = (at: Date, later: number) =>
  new Date(at.getTime() + later * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length)
