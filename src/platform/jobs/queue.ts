import * as column from '../db/columns.ts'
import type { Reader, Tx } from '../db/database.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'
import { unnestScoped } from '../db/unnest.ts'
import type { Scope } from '../scope.ts'

export type JobPayload = { spaceId: string; environment: Scope['environment'] } & Record<string, unknown>

/** What a job belongs to. */
export const scopeOf = ({ spaceId, environment }: JobPayload): Scope => ({ spaceId, environment })

/** What belongs to no Space: the machine's own. */
export const ofNoSpace: Scope = { spaceId: '00000000-0000-0000-0000-000000000000', environment: 'live' }

/** Where nodes that work hear of new jobs. */
export const jobsChannel = 'jobs'
/** They also poll. What is due later than that wakes nobody. */
export const pollEveryMs = 1_000

/**
 * When a job is due: by the database's clock, or by the Space's. Where that was moved, those `in_order` are done one
 * after the other.
 */
export type Timing = 'real_time' | 'space_time' | 'in_order'

/**
 * Enqueues a job that runs as soon as the transaction commits. With a `key`, a job of that key which has not started
 * yet is replaced. Of the jobs that name the same `line`, of whatever Space and on whatever node, one runs at a time.
 */
export async function enqueue(
  tx: Tx,
  job: string,
  payload: JobPayload,
  key: string | null = null,
  line: string | null = null,
): Promise<void> {
  // A line goes over all Spaces, and so belongs to none.
  const { spaceId, environment } = line === null ? payload : ofNoSpace
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
 * Enqueues a job for a moment of the Space's clock: it runs when that clock reaches `dueAt`, whether by the passing
 * of time or because the test clock was moved. Where that makes many due at once they run one after the other, in
 * order of time; but a job that `asksOthers` may take long, and nobody waits for it.
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

/** The same for many jobs at once. */
export async function scheduleEach(tx: Tx, jobs: ScheduledJob[], { asksOthers = false } = {}): Promise<void> {
  if (jobs.length === 0) return
  await tx.run(scheduling(jobs, { asksOthers }))
  if (isSoon(jobs)) tx.wake(jobsChannel)
}

/** The part of a larger statement that does the same. Once that has committed, `jobsChannel` is to be woken where `isSoon`. */
export const scheduling = (jobs: ScheduledJob[], { asksOthers = false } = {}): Sql =>
  inserting(jobs, asksOthers ? 'space_time' : 'in_order', sql`due_at`)

/** Whether any is due before nodes poll. */
export const isSoon = (jobs: ScheduledJob[]) => {
  const soonMs = Date.now() + pollEveryMs
  return jobs.some(({ dueAt }) => dueAt.getTime() < soonMs)
}

/** `dueAt` may name the `due_at` of a job that has one. */
const inserting = (
  jobs: { job: string; payload: JobPayload; dueAt?: Date }[],
  timing: Timing,
  dueAt: Sql,
): Sql =>
  // every space: the payloads name both
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

/** The job that waits longest to be claimed, but for those that wait for each other. `names`: of these only. */
export const selectOldestJob = (db: Reader, names?: string[]) =>
  // every space: the queue is one
  db.one<WaitingJob>(sql`
    select id::text, extract(epoch from now() - due_at)::float8 as waiting_seconds from jobs
    where taken_by is null and line is null and due_at <= now()
      ${names === undefined ? nothing : sql`and job = any(${names}::text[])`}
    order by due_at limit 1`)
