import Type from 'typebox'
import { timeZoneOf } from '../countries/time-zones.ts'
import type { Reader } from '../platform/db/database.ts'
import { realNow } from '../platform/db/real-time.ts'
import { sql } from '../platform/db/sql.ts'
import { optional } from '../platform/http/shapes.ts'
import { must } from '../platform/must.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { findSpace } from '../spaces/spaces.ts'
import { maxPostingDelayMs } from './postings.ts'

/** From a moment, which is included, to another, which is not. `timeZone`: that of the Space's country. */
export type TimeRange = { from: Date; to: Date; timeZone: string }

const moment = (description: string, example: string) =>
  optional(Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] }))

/** The query of statements and reports. */
export const rangeQuery = {
  from: moment(
    'The first moment; without it, the current month begins it, in the time zone of the Space’s country.',
    '2026-11-01T00:00:00Z',
  ),
  to: moment('The moment after the last; without it, the current month ends it.', '2026-12-01T00:00:00Z'),
}

export async function rangeOf(
  db: Reader,
  { spaceId }: Scope,
  query: { from?: string; to?: string },
  now: Date,
): Promise<TimeRange> {
  const timeZone = timeZoneOf(must(await findSpace(db, spaceId), 'Space of a call').country)
  const month = await db.only<{ from: Date; to: Date }>(sql`
    select month at time zone ${timeZone} as from, (month + interval '1 month') at time zone ${timeZone} as to
    from date_trunc('month', ${now}::timestamptz at time zone ${timeZone}) month`)
  const from = query.from === undefined ? month.from : new Date(query.from)
  const to = query.to === undefined ? month.to : new Date(query.to)
  if (to <= from) throw argumentRefusal('to', 'must be after from')
  return { from, to, timeZone }
}

/** Between the clocks of a node and of the database. */
const clockSlackMs = 60_000

/**
 * Up to which moment nothing can be booked any more. Whatever may still be booked is sent by a transaction that is open and
 * has written, or later than now. Read before the lines are, so that all that was booked up to then is among them.
 */
export async function findSettledMoment(db: Reader): Promise<Date> {
  const delayMs = maxPostingDelayMs + clockSlackMs
  // By the machine's clock, ahead of which a test clock may be and be set back again.
  const { moment } = await db.only<{ moment: Date }>(sql`
    select least(${realNow}, min(xact_start)) - ${delayMs} * interval '1 millisecond' as moment
    from pg_stat_activity where datname = current_database() and backend_xid is not null`)
  return moment
}
