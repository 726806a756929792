import * as column from '../db/columns.ts'
import type { AnyTx, Reader } from '../db/database.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'
import { unnestScoped } from '../db/unnest.ts'
import type { Scope } from '../scope.ts'
import { inheritedTrace } from '../tracing/spans.ts'

/** `trace` is the `traceparent` of the transaction that enqueued the job, if its trace is being exported. */
export type JobPayload = { spaceId: string; environment: Scope['environment']; trace?: string } & Record<
  string,
  unknown
>

/**
 * Adds the current trace to a payload. Only jobs that run right away continue it; jobs that are scheduled for later are
 * traces of their own.
 */
function traced(payload: JobPayload): JobPayload {
  const trace = inheritedTrace()
  return trace === undefined ? payload : { ...payload, trace }
}

/** Returns the Space and environment of a job. */
export const scopeOf = ({ spaceId, environment }: JobPayload): Scope => ({ spaceId, environment })

/** The scope of jobs and rows that belong to no Space. */
export const outsideSpaces: Scope = { spaceId: '00000000-0000-0000-0000-000000000000', environment: 'live' }

/** The channel on which workers are notified of new jobs. */
export const jobsChannel = 'jobs'
/** Workers also poll at this interval, so no notification is sent for jobs that become due later than that. */
export const pollEveryMs = 1_000

/**
 * The clock that determines when a job is due: the database's (`real_time`) or the Space's (the others). If a
 * Space's clock was moved, its `in_order` jobs run one after the other.
 */
export type Timing = 'real_time' | 'space_time' | 'in_order'

/**
 * Enqueues a job that runs as soon as the transaction has committed. With a `key`, the job replaces any job
 * with the same key that has not been started. Jobs with the same `line` run one at a time across all Spaces
 * and nodes.
 *
 * See docs/decisions/0013-a-queue-of-our-own.md.
 */
export function enqueue(
  tx: AnyTx,
  job: string,
  payload: JobPayload,
  key: string | null = null,
  line: string | null = null,
): void {
  // A line spans all Spaces, so its jobs belong to no Space.
  const { spaceId, environment } = line === null ? payload : outsideSpaces
  tx.send(sql`
    insert into jobs (space_id, environment, job, payload, timing, due_at, key, line)
    values (${spaceId}, ${environment}, ${job}, ${JSON.stringify(traced(payload))}, 'real_time', now(), ${key}, ${line})
    on conflict (space_id, environment, key) where key is not null and taken_by is null do update
    set job = excluded.job, payload = excluded.payload, timing = excluded.timing, due_at = excluded.due_at,
      attempts = 0, last_error = null`)
  tx.wake(jobsChannel)
}

/**
 * Enqueues a job that runs after a delay by wall-clock time. If a job with the same key has not been started, adds
 * the fields of the payload to that job instead. That job keeps its time, unless `isPostponed` is set and its time
 * is earlier.
 *
 * The new job also gets the fields of a job with the same key that is running, because that job is dropped if it
 * fails. A job that makes its own successor, with `isPostponed`, does not pass its fields on.
 */
export function enqueueOrExtend(
  tx: AnyTx,
  job: string,
  payload: JobPayload,
  { key, afterMs, isPostponed = false }: { key: string; afterMs: number; isPostponed?: boolean },
): void {
  tx.send(sql`
    insert into jobs as kept (space_id, environment, job, payload, timing, due_at, key)
    values (${payload.spaceId}, ${payload.environment}, ${job},
      coalesce((
        select running.payload from jobs running
        where running.space_id = ${payload.spaceId} and running.environment = ${payload.environment}
          and running.key = ${key} and running.taken_by is not null and not ${isPostponed}
        order by running.id desc limit 1
      ), '{}') || ${JSON.stringify(traced(payload))}::jsonb,
      'real_time', now() + ${afterMs} * interval '1 millisecond', ${key})
    on conflict (space_id, environment, key) where key is not null and taken_by is null do update
    set payload = kept.payload || excluded.payload,
      due_at = case when ${isPostponed} then greatest(kept.due_at, excluded.due_at) else kept.due_at end`)
  if (afterMs < pollEveryMs) tx.wake(jobsChannel)
}

/** Enqueues many jobs that run as soon as the transaction has committed. */
export function enqueueEach(tx: AnyTx, jobs: { job: string; payload: JobPayload }[]): void {
  if (jobs.length === 0) return
  const each = jobs.map(({ job, payload }) => ({ job, payload: traced(payload) }))
  tx.send(inserting(each, 'real_time', sql`now()`))
  tx.wake(jobsChannel)
}

/**
 * Schedules a job that runs when the Space's clock reaches `dueAt`, either because time has passed or because
 * the test clock was moved. If a move makes several jobs due, they run one after the other in the order of
 * their due times. Jobs with `asksOthers` are an exception, because they call external services and may take a
 * long time.
 */
export function schedule(
  tx: AnyTx,
  dueAt: Date,
  job: string,
  payload: JobPayload,
  { asksOthers = false } = {},
): void {
  scheduleEach(tx, [{ dueAt, job, payload }], { asksOthers })
}

export type ScheduledJob = { dueAt: Date; job: string; payload: JobPayload }

/** Schedules many jobs in one statement. */
export function scheduleEach(tx: AnyTx, jobs: ScheduledJob[], { asksOthers = false } = {}): void {
  if (jobs.length === 0) return
  tx.send(insertScheduled(jobs, { asksOthers }))
  if (isSoon(jobs)) tx.wake(jobsChannel)
}

/**
 * Returns a part of a larger statement. This part schedules the jobs. After the commit, the caller must wake
 * `jobsChannel` if `isSoon` returns true for these jobs.
 */
export const insertScheduled = (jobs: ScheduledJob[], { asksOthers = false } = {}): Sql =>
  inserting(jobs, asksOthers ? 'space_time' : 'in_order', sql`due_at`)

/** Returns whether any job is due before the next poll. */
export const isSoon = (jobs: ScheduledJob[]) => {
  const soonMs = Date.now() + pollEveryMs
  return jobs.some(({ dueAt }) => dueAt.getTime() < soonMs)
}

/** Returns a statement that inserts jobs. `dueAt` is SQL, which may refer to the `due_at` of the given jobs. */
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
 * Selects the due job that has waited longest to be claimed, without considering jobs that have a line. `names`
 * restricts the selection to these jobs.
 */
export const selectOldestJob = (db: Reader, names?: string[]) =>
  // every space: all Spaces share one queue
  db.one<WaitingJob>(sql`
    select id::text, extract(epoch from now() - due_at)::float8 as waiting_seconds from jobs
    where taken_by is null and line is null and due_at <= now()
      ${names === undefined ? nothing : sql`and job = any(${names}::text[])`}
    order by due_at limit 1`)
