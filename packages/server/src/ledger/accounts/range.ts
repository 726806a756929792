import { must } from '@pesewa/values'
import Type from 'typebox'
import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import { optional } from '../../platform/http/shapes/shapes.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { maxPostingDelayMs } from './postings.ts'

/** A range of time that includes `from` and excludes `to`. `timeZone` is the time zone of the Space's country. */
export type TimeRange = { from: Date; to: Date; timeZone: string }

const moment = (description: string, example: string) =>
  optional(Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] }))

/** The query parameters of statements and reports. */
export const rangeQuery = {
  from: moment(
    'Start of the range, inclusive. Defaults to the start of the current month in the time zone of the Space’s country.',
    '2026-11-01T00:00:00Z',
  ),
  to: moment(
    'End of the range, exclusive. Defaults to the end of the current month.',
    '2026-12-01T00:00:00Z',
  ),
}

export async function parseRange(
  db: Reader,
  { spaceId }: Scope,
  query: { from?: string; to?: string },
  now: Date,
): Promise<TimeRange> {
  const timeZone = timeZoneOf(must(await selectSpace(db, spaceId), 'Space of a call').country)
  const month = await db.only<{ from: Date; to: Date }>(sql`
    select month at time zone ${timeZone} as from, (month + interval '1 month') at time zone ${timeZone} as to
    from date_trunc('month', ${now}::timestamptz at time zone ${timeZone}) month`)
  const from = query.from === undefined ? month.from : new Date(query.from)
  const to = query.to === undefined ? month.to : new Date(query.to)
  if (to <= from) throw argumentRefusal('to', 'must be after `from`')
  return { from, to, timeZone }
}

/** Allows for the difference between the clocks of a node and the database. */
const clockSlackMs = 60_000

/**
 * Returns the moment up to which nothing more can be booked. A posting that is not visible yet has a later
 * timestamp: either it has not been sent yet, or it belongs to an open transaction that has already written.
 * Call this function before reading the lines, so that they include everything booked up to that moment.
 */
export async function findFinalityTime({ primary }: Pick<Database, 'primary'>): Promise<Date> {
  const delayMs = maxPostingDelayMs + clockSlackMs
  // This uses the wall clock, because a test clock may be ahead of it and may be set back.
  const { moment } = await primary.only<{ moment: Date }>(sql`
    select least(${realNow}, min(xact_start)) - ${delayMs} * interval '1 millisecond' as moment
    from pg_stat_activity where datname = current_database() and backend_xid is not null`)
  return moment
}
