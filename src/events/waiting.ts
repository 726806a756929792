import type { Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { lookForWork } from './sequence-store.ts'

const maxCounted = 100_000

/** Facts that have no event yet: not met, or in the backlog. */
export const countUntold = async (db: Reader): Promise<number> =>
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
      limit ${maxCounted}) untold`)
  ).count

/** Deliveries that are not at their end, of disabled endpoints too. */
export const countWaitingDeliveries = async (db: Reader): Promise<number> =>
  (
    await db.only<{ count: number }>(sql`
    -- every space: what the nodes that work have before them
    select count(*)::int as count from (
      select 1 from webhook_deliveries where status = 'pending' limit ${maxCounted}) waiting`)
  ).count

/** While facts wait: where the sequencer stands, as text that differs once it has moved. */
export async function placeOfUntold(db: Reader): Promise<string | undefined> {
  const { isFresh, isBacklogWaiting } = await lookForWork(db)
  if (!isFresh && !isBacklogWaiting) return undefined
  // every space: there is one sequencer
  const { place } = await db.only<{ place: string }>(sql`
    select concat_ws(' ', told, telling, telling_after, settled, position) as place from event_sequencer`)
  return place
}
