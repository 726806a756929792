import { bigint, environment, orNull, text, uuid } from '../db/columns.ts'
import type { Database, Reader } from '../db/database.ts'
import { violatedConstraint } from '../db/failures.ts'
import { alivenessLock } from '../db/listener.ts'
import { type Sql, sql } from '../db/sql.ts'
import { unnest } from '../db/unnest.ts'
import type { Scope } from '../scope.ts'
import type { JobPayload, Timing } from './queue.ts'

export type JobRef = Scope & { id: bigint }
/** A job that is due in `waitMs` milliseconds, or already due if that is 0 or less. */
export type DueJob = JobRef & { line: string | null; waitMs: number }
export type ClaimedJob = JobRef & {
  job: string
  payload: JobPayload
  dueAt: Date
  key: string | null
  line: string | null
  attempts: number
}

/**
 * Determines which jobs a node can run. `now` is the time on the node's own clock, with which due times are
 * compared.
 */
export type Horizon = { names: string[]; now: Date; horizonMs: number }
/** A Space whose test clock is ahead of the wall-clock time. */
export type MovedClock = { spaceId: string; aheadMs: number }

/**
 * Selects the jobs that are due before the horizon, earliest first. Jobs whose due time refers to a moved test
 * clock are excluded.
 */
export const selectDueJobs = (
  db: Reader,
  { names, now, horizonMs }: Horizon,
  moved: MovedClock[],
  limit: number,
) =>
  // every space: reads claimable jobs without a lock
  db.query<DueJob>(sql`
    select space_id, environment, id, line,
      (extract(epoch from due_at - case timing when 'real_time' then now() else ${now}::timestamptz end) * 1000)::float8
        as wait_ms
    from jobs
    where taken_by is null and due_at <= greatest(now(), ${now}::timestamptz) + ${horizonMs} * interval '1 millisecond'
      and job = any(${names}::text[])
      and not (timing <> 'real_time' and environment = 'test' and space_id = any(${moved.map(({ spaceId }) => spaceId)}::uuid[]))
      and (line is null or not exists (
        select 1 from jobs held
        where held.space_id = jobs.space_id and held.environment = jobs.environment and held.line = jobs.line
          and held.taken_by is not null))
    order by due_at limit ${limit}`)

export type MovedWork = { spaceId: string; timing: Timing; waitMs: number }

/**
 * Selects the Spaces whose test clock was moved and that have jobs due before the horizon, according to that
 * clock.
 */
export const selectMovedWork = (db: Reader, { names, now, horizonMs }: Horizon, moved: MovedClock[]) =>
  // every space: reads which Spaces have work, without a lock
  db.query<MovedWork>(sql`
    select jobs.space_id, timing,
      (extract(epoch from min(due_at) - (${now}::timestamptz + ahead_ms * interval '1 millisecond')) * 1000)::float8
        as wait_ms
    from jobs
    join ${movedClocks(moved.map((one) => ({ ...one, aheadMs: BigInt(one.aheadMs) })))}
      on jobs.space_id = requested.space_id
    where environment = 'test' and timing <> 'real_time' and taken_by is null and job = any(${names}::text[])
      and due_at <= ${now}::timestamptz + (ahead_ms + ${horizonMs}) * interval '1 millisecond'
    group by jobs.space_id, timing, ahead_ms
    order by wait_ms`)

const movedClocks = unnest({ spaceId: uuid, aheadMs: bigint })

/** Claims these jobs for a node, except those that another node is claiming. */
export const claimJobs = (db: Reader, node: number, places: JobRef[]) =>
  claim(
    db,
    node,
    // every space: each row names its Space and environment
    sql`
      select jobs.space_id, jobs.environment, jobs.id from jobs join ${placeRows(places)}
        on jobs.space_id = requested.space_id and jobs.environment = requested.environment and jobs.id = requested.id
      where taken_by is null
      for update of jobs skip locked`,
  )

/** Claims a job that belongs to a `line`, unless another job in the same line has been claimed. */
export const claimInLine = (db: Reader, node: number, place: JobRef) =>
  claimJobs(db, node, [place]).catch((error) => {
    if (violatedConstraint(error) === 'jobs_line') return []
    throw error
  })

/**
 * Claims due jobs of a Space whose clock was moved, if they call external services and may therefore run in any
 * order.
 */
export const claimOfSpace = (db: Reader, node: number, due: DueInSpace) =>
  claim(db, node, selectDue(due, 'space_time'))

/**
 * Claims due jobs of a Space whose clock was moved, if they must run in order. Claims none while any node is
 * still running such jobs of the Space.
 */
export const claimInOrder = (db: Database, node: number, due: DueInSpace) =>
  db.transaction(async (tx) => {
    const { spaceId } = due
    const { isFree } = await tx.only<{ isFree: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtext('moved clock'), hashtext(${spaceId})) as is_free`)
    // This must be a separate statement after the lock, so that it sees what other nodes have claimed.
    const isUnderWay = async () =>
      (await tx.one(sql`
        select 1 from jobs
        where space_id = ${spaceId} and environment = 'test' and timing = 'in_order' and taken_by is not null
        limit 1`)) !== undefined
    if (!isFree || (await isUnderWay())) return []
    return claim(tx, node, selectDue(due, 'in_order'))
  })

type DueInSpace = { spaceId: string; names: string[]; now: Date; limit: number }

const selectDue = ({ spaceId, names, now, limit }: DueInSpace, timing: Timing) => sql`
  select space_id, environment, id from jobs
  where space_id = ${spaceId} and environment = 'test' and timing <> 'real_time' and timing = ${timing}
    and taken_by is null and due_at <= ${now} and job = any(${names}::text[])
  order by due_at, id limit ${limit}
  for update skip locked`

/** Claims the selected jobs and returns them in the order of their due times. */
async function claim(db: Reader, node: number, free: Sql): Promise<ClaimedJob[]> {
  // every space: each row names its Space and environment
  const claimed = await db.query<ClaimedJob>(sql`
    update jobs set taken_by = ${node} from (${free}) free
    where jobs.space_id = free.space_id and jobs.environment = free.environment and jobs.id = free.id
    returning jobs.space_id, jobs.environment, jobs.id, job, payload, due_at, key, line, attempts`)
  return claimed.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || Number(a.id - b.id))
}

/** Deletes the jobs that a node has completed. */
// every space: each row names its Space and environment
export const deleteJobs = (db: Reader, node: number, done: JobRef[]) =>
  db.query(sql`
    delete from jobs using ${placeRows(done)}
    where jobs.space_id = requested.space_id and jobs.environment = requested.environment and jobs.id = requested.id
      and taken_by = ${node}`)

export type ReleasedJob = JobRef & {
  /** The reason that the job failed; missing if the job was not started. */
  error?: string
}

const longestWaitSeconds = 3_600 // longest delay before a failed job runs again; the delay doubles with each failure

/**
 * Returns a node's jobs to the queue. Jobs that were not started are returned unchanged. Failed jobs are
 * delayed by wall-clock time, and each failure makes the delay longer, except that the first `free` failures
 * cause no delay. A job that has been replaced in the meantime is dropped.
 */
// every space: each row names its Space and environment
export const releaseJobs = (db: Reader, node: number, back: ReleasedJob[], { free = 0 } = {}) =>
  db.query(sql`
    with back as (
      delete from jobs using ${backRows(back.map((one) => ({ error: null, ...one })))}
      where jobs.space_id = requested.space_id and jobs.environment = requested.environment and jobs.id = requested.id
        and taken_by = ${node}
      returning jobs.*, error, attempts + (error is not null)::int as failures
    ), judged as (
      select *, error is not null and failures > ${free}::int as is_to_wait from back
    )
    insert into jobs (space_id, environment, id, job, payload, timing, due_at, key, line, attempts, last_error)
    overriding system value
    select space_id, environment, id, job, payload, case when is_to_wait then 'real_time' else timing end,
      case when is_to_wait
        then now() + least(2 ^ least(failures - ${free}::int, 20), ${longestWaitSeconds}::int) * interval '1 second'
        else due_at end,
      key, line, failures, coalesce(error, last_error)
    from judged
    on conflict (space_id, environment, key) where key is not null and taken_by is null do nothing`)

/** Returns the numbers of the nodes that have claimed jobs. */
export const selectClaimants = async (db: Reader): Promise<number[]> => {
  // every space: all Spaces share one queue
  const rows = await db.query<{ takenBy: number }>(sql`
    select distinct taken_by from jobs where taken_by is not null`)
  return rows.map(({ takenBy }) => takenBy)
}

/**
 * Returns the numbers of the nodes that are alive. Each of them holds a lock, which PostgreSQL releases when
 * the process ends.
 */
export const selectLiving = async (db: Reader): Promise<number[]> => {
  const rows = await db.query<{ node: number }>(sql`
    select objid::bigint::int as node from pg_locks
    where locktype = 'advisory' and classid = ${alivenessLock}::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database())`)
  return rows.map(({ node }) => node)
}

/** Selects the jobs that a node has claimed. */
// every space: all Spaces share one queue
export const selectClaimed = (db: Reader, node: number, limit: number) =>
  db.query<JobRef>(sql`select space_id, environment, id from jobs where taken_by = ${node} limit ${limit}`)

const place = { spaceId: uuid, environment, id: bigint }
const placeRows = unnest<JobRef>(place)
const backRows = unnest({ ...place, error: orNull(text) })
