import { argumentRefusal } from '../refusals.ts'
import type { Reader, Tx } from './database.ts'
import { type Sql, sql } from './sql.ts'

// Rows of old months are archived: their partitions no longer belong to their tables. Rows that are still needed are
// kept.
//
// See docs/decisions/0258-archived-months.md.

/** Returns the condition that the month of this id has not been archived. It is true for null. */
export const isUnarchived = (id: Sql): Sql => sql`((${id} >= (select archived_until())) is not false)`

/**
 * A month that was archived, with everything before it that was not archived yet. `untilId` is the first id after it,
 * and `tables` contains the number of rows by table.
 */
export type ArchivedMonth = {
  month: string
  untilId: string
  archivedAt: Date
  archivedBy: string
  tables: Record<string, number>
  droppedAt: Date | null
  droppedBy: string | null
}

/** Returns the archived months, oldest first. */
export const selectArchivedMonths = (db: Reader) =>
  // every space: a month has rows of all Spaces
  db.query<ArchivedMonth>(sql`
    select month, until_id, archived_at, archived_by, tables, dropped_at, dropped_by
    from archived_months order by until_id`)

/** Returns when the first time begins that has not been archived; `undefined` if nothing has been archived. */
export const selectArchivedUntil = async (db: Reader): Promise<Date | undefined> =>
  (
    await db.one<{ at: Date }>(sql`
      select id_moment(until_id) as at from archived_months order by until_id desc limit 1`)
  )?.at

/**
 * Refuses a range that begins in an archived month.
 *
 * @param param name of the argument that contains the time
 */
export async function refuseArchived(db: Reader, from: Date, param = 'from'): Promise<void> {
  const until = await selectArchivedUntil(db)
  if (until && from < until)
    throw argumentRefusal(
      param,
      `must be at or after ${until.toISOString()}, because earlier bookings were archived`,
    )
}

export const insertArchivedMonth = (
  tx: Tx,
  { month, untilId, archivedAt, archivedBy, tables }: Omit<ArchivedMonth, 'droppedAt' | 'droppedBy'>,
) =>
  tx.run(sql`
    insert into archived_months (month, until_id, archived_at, archived_by, tables)
    values (${month}, ${untilId}, ${archivedAt}, ${archivedBy}, ${JSON.stringify(tables)})`)

export const markDropped = (tx: Tx, month: string, by: string, at: Date) =>
  tx.run(sql`update archived_months set dropped_at = ${at}, dropped_by = ${by} where month = ${month}`)
