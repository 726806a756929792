import * as column from '../db/columns.ts'
import type { Reader, Tx } from '../db/database.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'
import { unnestScoped } from '../db/unnest.ts'
import type { Scope } from '../scope.ts'

export type JobPayload = { spaceId: string; environment: Scope['environment'] } & Record<string, unknown>

/** Returns the Space and environment of a job. */
export const scopeOf = ({ spaceId, environment }: JobPayload): Scope => ({ spaceId, environment })

/** The scope of jobs and rows that belong to no Space. */
export const outsideSpaces: Scope = { spaceId: '00000000-0000-0000-0000-000000000000', environment: 'live' }

/** Channel on which workers learn of new jobs. */
export const jobsChannel = 'jobs'
/** Workers also poll, so jobs due later than this send no notification. */
export const pollEveryMs = 1_000

/**
 * When a job is due: by the database's clock, or by the Space's. If a Space's clock was moved, its `in_order`
 * jobs run one after the other.
 */
export type Timing = 'real_time' | 'space_time' | 'in_order'

/**
 * Enqueues a job that runs as soon as the transaction commits. With a `key`, it replaces a job with that key
 * that has not started. Jobs with the same `line` run one at a time, across Spaces and nodes.
 *
 * See docs/decisions/0013-a-queue-of-our-own.md.
 */
export async function enqueue(
  tx: Tx,
  job: string,
  payload: JobPayload,
  key: string | null = null,
  line: string | null = null,
): Promise<void> {
  // A line spans all Spaces, so its jobs belong to none.
  const { spaceId, environment } = line === null ? payload : outsideSpaces
  await tx.run(sql`
    insert into jobs (space_id, environment, job, payload, timing, due_at, key, line)
    values (${spaceId}, ${environment}, ${job}, ${JSON.stringify(payload)}, 'real_time', now(), ${key}, ${line})
    on conflict (space_id, environment, key) where key is not null and taken_by is null do update
    set job = excluded.job, payload = excluded.payload, timing = excluded.timing, due_at = excluded.due_at,
      attempts = 0, last_error = null`)
  tx.wake(jobsChannel)
}

/** Enqueues many jobs that run as soon as the transaction commits. */
export async function enqueueEach(tx: Tx, jobs: { job: string; payload: JobPayload }[]): Promise<void> {
  if (jobs.length === 0) return
  await tx.run(inserting(jobs, 'real_time', sql`now()`))
  tx.wake(jobsChannel)
}

/**
 * Schedules a job by the Space's clock: it runs when that clock reaches `dueAt`, through passing time or a move
 * of the test clock. If a move makes several jobs due, they run one after the other in order of time, except
 * jobs with `asksOthers`, which call external services and may take long.
 */
export async function schedule(
  tx: Tx,
  dueAt: Date,
  job: string,
  payload: JobPayload,
  { asksOthers = false } = {},
): Promise<void> {
  await scheduleEach(tx, [{ dueAt, job, payload }], { asksOthers })
}

type ScheduledJob = { dueAt: Date; job: string; payload: JobPayload }

/** Schedules many jobs in one statement. */
export async function scheduleEach(tx: Tx, jobs: ScheduledJob[], { asksOthers = false } = {}): Promise<void> {
  if (jobs.length === 0) return
  await tx.run(insertScheduled(jobs, { asksOthers }))
  if (isSoon(jobs)) tx.wake(jobsChannel)
}

/** Part of a larger statement that schedules jobs. After it commits, wake `jobsChannel` if `isSoon`. */
export const insertScheduled = (jobs: ScheduledJob[], { asksOthers = false } = {}): Sql =>
  inserting(jobs, asksOthers ? 'space_time' : 'in_order', sql`due_at`)

/** Returns whether any job is due before the next poll. */
export const isSoon = (jobs: ScheduledJob[]) => {
  const soonMs = Date.now() + pollEveryMs
  return jobs.some(({ dueAt }) => dueAt.getTime() < soonMs)
}

/** `dueAt`: SQL, which may refer to the `due_at` of the jobs. */
const inserting = (
  jobs: { job: string; payload: JobPayload; dueAt?: Date }[],
  timing: Timing,
  dueAt: Sql,
): Sql =>
  // every space: each payload names its Space and environment
  sql`
    insert into jobs (space_id, environment, job, payload, timing, due_at)
    select space_id, environment, job, payload::jsonb, ${timing}, ${dueAt}
    from ${jobRows(jobs.map((job) => ({ dueAt: null, ...job, scope: job.payload })))}`

const jobRows = unnestScoped({
  job: column.text,
  payload: column.jsonb<JobPayload>(),
  dueAt: column.orNull(column.time),
})

export type WaitingJob = { id: string; waitingSeconds: number }

/**
 * Selects the due job that has waited longest to be claimed, ignoring those with a line. `names`: restricts the
 * jobs.
 */
export const selectOldestJob = (db: Reader, names?: string[]) =>
  // every space: all Spaces share one queue
  db.one<WaitingJob>(sql`
    select id::text, extract(epoch from now() - due_at)::float8 as waiting_seconds from jobs
    where taken_by is null and line is null and due_at <= now()
      ${names === undefined ? nothing : sql`and job = any(${names}::text[])`}
    order by due_at limit 1`)
