import type { Scope } from '../clock.ts'
import { texts, times, uuids } from '../db/arrays.ts'
import type { Reader, Tx } from '../db/database.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'

export type JobPayload = { spaceId: string; environment: Scope['environment'] } & Record<string, unknown>

/** What a job belongs to. */
export const scopeOf = ({ spaceId, environment }: JobPayload): Scope => ({ spaceId, environment })

/** Marks a job that had a key: the library takes the key away when it replaces a job that is running. */
export const keyedFlag = 'keyed'

/**
 * Enqueues a job that runs as soon as the transaction commits. With a `key`, a job of that key which has not started
 * yet is replaced. Of the jobs that name the same `line`, on whatever node, one runs at a time.
 */
export async function enqueue(
  tx: Tx,
  job: string,
  payload: JobPayload,
  key: string | null = null,
  line: string | null = null,
): Promise<void> {
  // every space: the payload names both
  await tx.run(sql`
    select graphile_worker.add_job(${job}, payload := ${JSON.stringify(payload)}::json, job_key := ${key},
      queue_name := ${line}, flags := ${key === null ? null : [keyedFlag]}::text[])`)
}

/** Enqueues a job for after a while of real time, by the database's clock. */
export async function enqueueLater(tx: Tx, delayMs: number, job: string, payload: JobPayload): Promise<void> {
  // every space: the payload names both
  await tx.run(sql`
    select graphile_worker.add_job(${job}, payload := ${JSON.stringify(payload)}::json,
      run_at := now() + ${delayMs}::bigint * interval '1 millisecond')`)
}

/** Enqueues many jobs that run as soon as the transaction commits. */
export async function enqueueEach(tx: Tx, jobs: { job: string; payload: JobPayload }[]): Promise<void> {
  // every space: the payloads name both
  await tx.run(sql`
    select graphile_worker.add_job(job, payload := payload::json)
    from unnest(${texts(jobs.map(({ job }) => job))}::text[],
      ${texts(jobs.map(({ payload }) => JSON.stringify(payload)))}::text[]) as wanted (job, payload)`)
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
  await tx.run(scheduling(jobs, { asksOthers }))
}

/** The part of a larger statement that does the same. */
export const scheduling = (jobs: ScheduledJob[], { asksOthers = false } = {}): Sql =>
  // every space: the payloads name both
  sql`
    insert into scheduled_jobs (space_id, environment, due_at, job, payload, in_order)
    select space_id, environment::environment, due_at, job, payload::json, ${!asksOthers}
    from unnest(${uuids(jobs.map(({ payload }) => payload.spaceId))}::uuid[],
      ${texts(jobs.map(({ payload }) => payload.environment))}::text[],
      ${times(jobs.map(({ dueAt }) => dueAt))}::timestamptz[], ${texts(jobs.map(({ job }) => job))}::text[],
      ${texts(jobs.map(({ payload }) => JSON.stringify(payload)))}::text[])
      as wanted (space_id, environment, due_at, job, payload)`

const maxDueAtOnce = 500

/**
 * Hands every job whose Space's clock has reached it to the queue, in order of time. Answers how many. Where a clock
 * was moved, only those that ask others: the rest is done in order, by `followMovedClocks`.
 */
export function enqueueDue(tx: Tx, realNow: Date): Promise<number> {
  // every space: one sweep serves all; a moved test clock makes more of its Space's jobs due
  return tx.run(sql`
    with due as (
      select s.space_id, s.environment, s.id, s.due_at from scheduled_jobs s
      where s.due_at <= ${realNow} and not (s.in_order and exists (
        select 1 from test_clocks c
        where c.space_id = s.space_id and c.environment = s.environment and c.offset_ms > 0))
      union
      select s.space_id, s.environment, s.id, s.due_at from test_clocks c
      join scheduled_jobs s on s.space_id = c.space_id and s.environment = c.environment and not s.in_order
        and s.due_at <= ${realNow}::timestamptz + c.offset_ms * interval '1 millisecond'
      where c.offset_ms > 0
      order by due_at
      limit ${maxDueAtOnce}
    ), locked as (
      select s.space_id, s.environment, s.id, s.due_at, s.job, s.payload
      from due join scheduled_jobs s using (space_id, environment, id)
      order by s.due_at, s.id
      for update of s skip locked
    ), gone as (
      delete from scheduled_jobs s using locked l
      where s.space_id = l.space_id and s.environment = l.environment and s.id = l.id
    )
    select graphile_worker.add_job(job, payload := payload::json) from locked`)
}

export type WaitingJob = { id: string; waitingSeconds: number }

/** The job that waits longest to be taken, but for those that wait for each other. `names`: of these only. */
export const selectOldestJob = (db: Reader, names?: string[]) =>
  // every space: the queue is one
  db.one<WaitingJob>(sql`
    select id::text, extract(epoch from now() - run_at)::float8 as waiting_seconds from graphile_worker.jobs
    where locked_at is null and queue_name is null and attempts < max_attempts and run_at <= now()
      ${names === undefined ? nothing : sql`and task_identifier = any(${names}::text[])`}
    order by run_at limit 1`)
