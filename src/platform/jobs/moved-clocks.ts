import type { Clock, Scope } from '../clock.ts'
import type { Database, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { enqueue, type JobPayload } from './queue.ts'
import type { Jobs } from './runner.ts'

type Due = { id: bigint; job: string; payload: JobPayload }

const maxSpacesAtOnce = 4
const maxJobsAtOnce = 50

/**
 * Does what has become due in Spaces whose test clock was moved: each Space's jobs one after the other, in order of
 * time, as if the time had passed. Answers whether there may be more.
 */
export async function followMovedClocks(db: Database, clock: Clock, jobs: Jobs): Promise<boolean> {
  const spaces = await selectSpacesWithDue(db)
  const done = await Promise.all(spaces.map((scope) => followOne(db, clock, jobs, scope)))
  return done.some((count) => count > 0)
}

/**
 * One node at a time, by a lock that ends with the transaction. Each job has its own, and may run again if this one
 * does not commit: like every job it tolerates that.
 */
function followOne(db: Database, clock: Clock, jobs: Jobs, scope: Scope): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await lockSpace(tx, scope))) return 0
    const due = await selectDue(tx, scope, clock.now(scope))
    for (const { job, payload } of due) await runOnce(tx, jobs, job, payload)
    if (due.length > 0) await deleteJobs(tx, scope, due)
    return due.length
  })
}

/** One that fails is tried again by the queue, and the others go on. */
async function runOnce(tx: Tx, jobs: Jobs, job: string, payload: JobPayload): Promise<void> {
  try {
    await jobs[job]!(payload)
  } catch {
    await enqueue(tx, job, payload)
  }
}

async function lockSpace(tx: Tx, { spaceId, environment }: Scope): Promise<boolean> {
  const row = await tx.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('moved clock'), hashtext(${`${spaceId} ${environment}`})) as is_free`)
  return row!.isFree
}

// every space: one look serves all whose clock was moved
const selectSpacesWithDue = (db: Database) =>
  db.query<Scope>(sql`
    select c.space_id, c.environment from test_clocks c
    where c.offset_ms > 0 and exists (
      select 1 from scheduled_jobs s
      where s.space_id = c.space_id and s.environment = c.environment and s.in_order
        and s.due_at <= now() + c.offset_ms * interval '1 millisecond')
    order by random() limit ${maxSpacesAtOnce}`)

const selectDue = (tx: Tx, { spaceId, environment }: Scope, now: Date) =>
  tx.query<Due>(sql`
    select id, job, payload from scheduled_jobs
    where space_id = ${spaceId} and environment = ${environment} and in_order and due_at <= ${now}
    order by due_at, id limit ${maxJobsAtOnce}
    for update skip locked`)

const deleteJobs = (tx: Tx, { spaceId, environment }: Scope, due: Due[]) =>
  tx.run(sql`
    delete from scheduled_jobs
    where space_id = ${spaceId} and environment = ${environment} and id = any(${due.map(({ id }) => id)}::bigint[])`)
