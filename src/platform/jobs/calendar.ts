import assert from 'node:assert/strict'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { ClaimedJob } from './job-store.ts'
import { ofNoSpace } from './queue.ts'

/** Jobs of the machine's calendar, in UTC, as `minute hour * * *`, `minute * * * *` or `* * * * *`: `{ '0 * * * *': 'keys.forget' }`. */
export type Calendar = Record<string, string>

const form = /^(?:(\d+) (\d+|\*)|\* \*) \* \* \*$/
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** The first moment of a line of the calendar that comes after `after`. */
export function nextMoment(line: string, after: Date): Date {
  const matched = form.exec(line)
  assert(matched, `the calendar has no such line: ${line}`)
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

/** Of the jobs of the calendar each has one row that waits, until its next moment. */
const calendarKey = (job: string) => `calendar ${job}`

/** Lets each wait for its next moment, unless it does already, however late that may be. */
export async function planCalendar(db: Database, calendar: Calendar, after: Date): Promise<void> {
  for (const [line, job] of Object.entries(calendar))
    await db.query(sql`
      insert into jobs (space_id, environment, job, payload, timing, due_at, key)
      values (${ofNoSpace.spaceId}, ${ofNoSpace.environment}, ${job}, ${JSON.stringify(ofNoSpace)}, 'real_time',
        ${nextMoment(line, after)}, ${calendarKey(job)})
      on conflict (space_id, environment, key) where key is not null and taken_by is null do nothing`)
}

/** After a job of the calendar was done: lets it wait for its next moment. */
export async function planNext(
  db: Database,
  calendar: Calendar,
  { job, key, dueAt }: ClaimedJob,
): Promise<void> {
  if (key !== calendarKey(job)) return
  const lines = Object.entries(calendar).filter(([, name]) => name === job)
  // A node's clock may be a little behind: what was done for a moment is not done for it again.
  await planCalendar(db, Object.fromEntries(lines), new Date(Math.max(dueAt.getTime(), Date.now())))
}
