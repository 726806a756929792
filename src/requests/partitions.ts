import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

const dayMs = 86_400_000
const retainedDays = 7 // limit: days that requests are kept in the request log
const retainLock = 715_012

/** Creates the partitions of these days unless they exist. */
export const makePartitions = (tx: Tx, days: string[]) =>
  // every space: a partition holds rows of all Spaces
  tx.query(sql`select create_api_request_partition(day) from unnest(${days}::date[]) as day`)

/**
 * Returns true if a request from that time has a partition, or can have one. Streams are logged only when they
 * end.
 */
export const isKept = (at: Date, now: Date) =>
  dayOf(at, 0) > dayOf(now, -retainedDays) && dayOf(at, 0) <= dayOf(now, 1)

/**
 * Creates partitions in advance and drops those of days that ended seven days ago, so that nothing is deleted
 * row by row and writers never wait. An advisory lock admits one node at a time; the next run completes an
 * interrupted one. `now` is real time.
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

/** `isPending`: detaching it was interrupted. */
type ExpiredTable = { parent: 'api_requests'; name: string; isAttached: boolean; isPending: boolean }

/**
 * Detaches a partition concurrently, which blocks no readers or writers but cannot run in a transaction; then
 * drops it.
 */
async function drop(
  { pool }: Database,
  { parent, name, isAttached, isPending }: ExpiredTable,
): Promise<void> {
  const how = isPending ? 'finalize' : 'concurrently'
  if (isAttached) await pool.query(`alter table ${parent} detach partition ${name} ${how}`)
  await pool.query(`drop table ${name}`)
}

/** Selects by table name, to include partitions that are already detached. */
const selectExpired = (db: Reader, now: Date) =>
  // every space: a partition holds rows of all Spaces
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
