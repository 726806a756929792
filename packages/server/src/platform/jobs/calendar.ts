import assert from 'node:assert/strict'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { ClaimedJob } from './job-store.ts'
import { outsideSpaces } from './queue.ts'

/**
 * Names of jobs by their schedule in UTC, such as `{ '0 * * * *': 'keys.forget' }`. A schedule has the form
 * `minute hour * * *`, `minute * * * *` or `* * * * *`.
 */
export type Calendar = Record<string, string>

const form = /^(?:(\d+) (\d+|\*)|\* \*) \* \* \*$/
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** Returns the first time after `after` that matches a schedule. */
export function nextMoment(line: string, after: Date): Date {
  const matched = form.exec(line)
  assert(matched, `unsupported schedule: ${line}`)
  const [, minute, hour] = matched
  const phaseOfHourMs = Number(minute ?? 0) * minuteMs
  const [everyMs, phaseMs] =
    minute === undefined
      ? [minuteMs, 0]
      : hour === '*'
        ? [hourMs, phaseOfHourMs]
        : [dayMs, Number(hour) * hourMs + phaseOfHourMs]
  const periods = Math.floor((after.getTime() - phaseMs) / everyMs) + 1
  return new Date(periods * everyMs + phaseMs)
}

/**
 * Returns the key of a scheduled job. It ensures that each job has only one waiting row, which is for its next
 * run.
 */
const calendarKey = (job: string) => `calendar ${job}`

/** Schedules the next run of each job that has no waiting run. An overdue run counts as waiting. */
export async function planCalendar(db: Database, calendar: Calendar, after: Date): Promise<void> {
  for (const [line, job] of Object.entries(calendar))
    await db.query(sql`
      insert into jobs (space_id, environment, job, payload, timing, due_at, key)
      values (${outsideSpaces.spaceId}, ${outsideSpaces.environment}, ${job}, ${JSON.stringify(outsideSpaces)}, 'real_time',
        ${nextMoment(line, after)}, ${calendarKey(job)})
      on conflict (space_id, environment, key) where key is not null and taken_by is null do nothing`)
}

/** Schedules the next run of a recurring job that has just run. */
export async function planNext(
  db: Database,
  calendar: Calendar,
  { job, key, dueAt }: ClaimedJob,
): Promise<void> {
  if (key !== calendarKey(job)) return
  const lines = Object.entries(calendar).filter(([, name]) => name === job)
  // A node's clock may be slightly slow, but the job must not run twice for the same scheduled time.
  await planCalendar(db, Object.fromEntries(lines), new Date(Math.max(dueAt.getTime(), Date.now())))
}
