import type { Bounds } from '../../db/database.ts'
import { violatedConstraint } from '../../db/failures.ts'
import { Sql, sql } from '../../db/sql.ts'
import { insertScheduled, isSoon, jobsChannel, type ScheduledJob } from '../../jobs/queue.ts'
import {
  insertKeysOfEvents,
  insertKeysWithResults,
  type Keyed,
  keysConstraint,
  readKeyFailure,
  type StoredResponses,
} from './idempotency.ts'

/** What the fast path of a command writes for all calls of a batch, and the result of each call as JSON. */
export type NewRows = {
  /** Statements that insert rows and do not depend on one another. */
  inserts: Sql[]
  results: string[]
  /** The ids of the events whose data are the results. If there are none, the keys store the results. */
  eventIds?: string[]
  jobs?: ScheduledJob[]
  /** Channels whose listeners are woken after the commit. */
  wakes?: string[]
  /**
   * An expression that is evaluated last, because it locks rows that other transactions wait for. It must use
   * `isWritten`, which is true as soon as everything else has been written. All `inserts` must return rows.
   */
  last?(isWritten: Sql): Sql
  /**
   * Returns which calls make the statement fail with this error, or `undefined` if it is not about the calls.
   * By default, all calls take the slow path if a constraint is violated, for example because a random number
   * is already taken.
   */
  explain?(error: unknown): boolean[] | undefined
}

/**
 * The result of a fast path that changed nothing. For each call, `notSimple` is true if the call is known to
 * need the slow path.
 */
export type NotSimple = { notSimple: boolean[] }

/**
 * Writes new rows and the rows of their idempotency keys in one statement, and returns the results. If that is
 * impossible, writes nothing and returns the calls that need the slow path.
 */
export async function writeNewRows(
  { db, seals }: Pick<StoredResponses, 'db' | 'seals'>,
  rows: NewRows,
  keyed: Keyed[],
  bounds: Bounds,
): Promise<string[] | NotSimple> {
  const { results, eventIds, jobs = [], wakes = [] } = rows
  const limit = db.limitLocks(bounds)
  const keys = eventIds
    ? insertKeysOfEvents(keyed, eventIds, limit)
    : insertKeysWithResults(seals, keyed, results, limit)
  try {
    await db.write(statementOf(rows, keys))
  } catch (error) {
    const notSimple = rows.explain?.(error)
    if (notSimple) return { notSimple }
    const constraint = violatedConstraint(error)
    if (constraint !== undefined && constraint !== keysConstraint) return { notSimple: keyed.map(() => true) }
    const taken = await readKeyFailure(db, error, keyed)
    return { notSimple: keyed.map((request) => taken.has(request)) }
  }
  for (const channel of wakes) db.wake(channel)
  if (isSoon(jobs)) db.wake(jobsChannel)
  return results
}

/** The keys are claimed first, because they set the lock timeout. */
function statementOf({ inserts, jobs = [], last }: NewRows, keys: Sql): Sql {
  const parts = jobs.length > 0 ? [...inserts, sql`${insertScheduled(jobs)} returning 1`] : inserts
  if (!last) return sql`with ${named(parts)} ${keys}`
  // Counting the rows of the other parts causes those parts to run first, in this order.
  const all = [keys, ...parts]
  const count = all.map((_, i) => `(select count(*) from part${i})`).join(' + ')
  return sql`with ${named(all)} select ${last(new Sql(`${count} > 0`, []))}`
}

/** Returns the parts as a list: `part0 as (…), part1 as (…)` */
const named = ([first, ...others]: Sql[]): Sql =>
  others.reduce(
    (list, part, i) => sql`${list}, ${new Sql(`part${i + 1}`, [])} as (${part})`,
    sql`part0 as (${first})`,
  )
