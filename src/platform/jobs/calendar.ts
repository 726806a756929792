import assert from 'node:assert/strict'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { ClaimedJob } from './job-store.ts'
import { outsideSpaces } from './queue.ts'

/**
 * Jobs by schedule in UTC, as `minute hour * * *`, `minute * * * *` or `* * * * *`: `{ '0 * * * *':
 * 'keys.forget' }`.
 */
export type Calendar = Record<string, string>

const form = /^(?:(\d+) (\d+|\*)|\* \*) \* \* \*$/
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** Returns the first time on a schedule after `after`. */
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

/** Key of a scheduled job, so that each has one waiting row, for its next run. */
const calendarKey = (job: string) => `calendar ${job}`

/** Schedules the next run of each job, unless one is already waiting, even if that one is overdue. */
export async function planCalendar(db: Database, calendar: Calendar, after: Date): Promise<void> {
  for (const [line, job] of Object.entries(calendar))
    await db.query(sql`
      insert into jobs (space_id, environment, job, payload, timing, due_at, key)
      values (${outsideSpaces.spaceId}, ${outsideSpaces.environment}, ${job}, ${JSON.stringify(outsideSpaces)}, 'real_time',
        ${nextMoment(line, after)}, ${calendarKey(job)})
      on conflict (space_id, environment, key) where key is not null and taken_by is null do nothing`)
}

/** Schedules the next run after a scheduled job is done. */
export async function planNext(
  db: Database,
  calendar: Calendar,
  { job, key, dueAt }: ClaimedJob,
): Promise<void> {
  if (key !== calendarKey(job)) return
  const lines = Object.entries(calendar).filter(([, name]) => name === job)
  // A node's clock may be slightly behind; a run must not be repeated for the same time.
  await planCalendar(db, Object.fromEntries(lines), new Date(Math.max(dueAt.getTime(), Date.now())))
}
