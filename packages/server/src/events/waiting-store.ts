import type { Reader } from '../platform/db/database.ts'
import { realNow } from '../platform/db/real-time.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { pollSequencer } from './sequencer-state-store.ts'

const maxCounted = 100_000 // waiting events and deliveries counted by metrics

/** Counts the facts that have no events yet, because they are unread or in the backlog. */
export const countUnsequenced = async (db: Reader, atMost = maxCounted) =>
  (
    await db.only<{ count: number }>(sql`
    -- every space: there is one sequencer
    select count(*)::int as count from (
      select 1 from event_backlog
      union all
      (select 1 from event_sequencer sequencer, event_facts fact
      where fact.number > greatest(sequencer.settled, sequencer.telling_after)
        and not pg_visible_in_snapshot(fact.xid, sequencer.told)
      order by fact.number)
      limit ${atMost}) unsequenced`)
  ).count

const maxRead = 1_000 // waiting facts that are read for the sequencer’s lag

/**
 * Returns the age in seconds of the oldest live fact that has no events yet. The time of a fact in the test environment
 * says nothing, because it is by a clock that may have been moved.
 */
export const selectSequencerLag = async (db: Reader) =>
  (
    await db.only<{ seconds: number }>(sql`
    -- every space: there is one sequencer
    select coalesce(greatest(extract(epoch from ${realNow} - min(at)), 0), 0)::float8 as seconds from (
      (select environment, met_at as at from event_backlog order by fact_number limit ${maxRead})
      union all
      (select fact.environment, fact.at from event_sequencer sequencer, event_facts fact
      where fact.number > greatest(sequencer.settled, sequencer.telling_after)
        and not pg_visible_in_snapshot(fact.xid, sequencer.told)
      order by fact.number limit ${maxRead})
    ) unsequenced where environment = 'live'`)
  ).seconds

/** Counts pending deliveries, including those of disabled endpoints. */
export const countWaitingDeliveries = async (db: Reader, atMost = maxCounted) =>
  (
    await db.only<{ count: number }>(sql`
    -- every space: total work of all nodes
    select count(*)::int as count from (
      select 1 from webhook_deliveries where status = 'pending' limit ${atMost}) waiting`)
  ).count

/**
 * Returns the sequencer's progress as a text that changes with each step, or `undefined` if no facts are
 * waiting.
 */
export async function selectSequencerProgress(db: Reader): Promise<string | undefined> {
  const { isFresh, isBacklogWaiting } = await pollSequencer(db)
  if (!isFresh && !isBacklogWaiting) return undefined
  // every space: there is one sequencer
  const { progress } = await db.only<{ progress: string }>(sql`
    select concat_ws(' ', told, telling, telling_after, settled, position) as progress from event_sequencer`)
  return progress
}

/**
 * Returns SQL for whether the Space of row `of` has a backlog, which takes one index probe. With `exists`, the
 * planner might scan the table, expecting to find a match soon, and would read all of it for a Space without a
 * backlog.
 */
export const hasBacklog = (of: Sql): Sql => sql`
  ((select place from event_backlog backlog
  where backlog.space_id = ${of}.space_id and backlog.environment = ${of}.environment
  order by space_id, environment, place limit 1) is not null)`
