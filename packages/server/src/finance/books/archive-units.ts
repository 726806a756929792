import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { archivedTables, tableNamed } from './archive-table-store.ts'

type Partition = {
  table: string
  name: string
  rows: number
  bytes: number
  fromId: string | undefined
  toId: string
}

/**
 * The partitions of one table that are archived together: the month's, and those with rows that earlier months kept,
 * which keep fewer rows afterwards.
 */
export type TableMonth = { table: string; month: string; kept: string[]; rows: number; bytes: number }

/**
 * A month that can be archived. `untilId` is the first id after it. The first month of an upgraded installation has
 * everything before it, too.
 */
export type Unit = { month: string; untilId: string; endsAt: Date; tables: TableMonth[] }

/** Returns the months that have not been archived, oldest first. */
export async function findUnits(db: Reader): Promise<Unit[]> {
  const partitions = await selectPartitions(db)
  const { until } = await db.only<{ until: string }>(sql`select archived_until() as until`)
  const ends = [...new Set(partitions.map(({ toId }) => toId))].filter((end) => end > until).sort()
  const units: Unit[] = []
  for (const untilId of ends) {
    const tables = tablesUntil(partitions, untilId, units)
    const isFirst = partitions.every(({ toId, fromId }) => toId !== untilId || fromId === undefined)
    // A new installation has no rows before its first month.
    if (isFirst && !(await hasRows(db, tables))) continue
    units.push({ ...nameOf(untilId), untilId, tables })
  }
  return units
}

/** Returns the tables that have a partition with this end. A table that is not divided yet keeps all of its rows. */
function tablesUntil(partitions: Partition[], untilId: string, earlier: Unit[]): TableMonth[] {
  return archivedTables.flatMap(({ name: table }) => {
    const own = partitions.filter((partition) => partition.table === table)
    const month = own.find(({ toId }) => toId === untilId)
    if (!month) return []
    const { name, rows, bytes } = month
    const kept = own
      .filter(({ toId }) => toId < untilId && !earlier.some((unit) => unit.untilId === toId))
      .map((one) => one.name)
    return [{ table, month: name, kept, rows, bytes }]
  })
}

const hasRows = async (db: Reader, tables: TableMonth[]): Promise<boolean> => {
  // every space: a month has rows of all Spaces
  for (const { month } of tables)
    if (await db.one(sql`select 1 from ${tableNamed(month)} limit 1`)) return true
  return false
}

const selectPartitions = async (db: Reader): Promise<Partition[]> => {
  const rows = await db.query<{
    table: string
    name: string
    rows: number
    bytes: number
    bound: string
  }>(sql`
    select parent.relname::text as table, part.relname::text as name, greatest(part.reltuples, 0)::float8 as rows,
      pg_total_relation_size(part.oid)::float8 as bytes, pg_get_expr(part.relpartbound, part.oid) as bound
    from pg_inherits
    join pg_class parent on parent.oid = inhparent and parent.relnamespace = current_schema()::regnamespace
    join pg_class part on part.oid = inhrelid
    where parent.relname = any(${archivedTables.map(({ name }) => name)})`)
  return rows.flatMap(({ bound, ...row }) => {
    const [, fromId, toId] =
      /FROM \((?:MINVALUE|'([0-9a-f-]{36})')\) TO \((?:MAXVALUE|'([0-9a-f-]{36})')\)/.exec(bound) ?? []
    return toId === undefined ? [] : [{ ...row, fromId, toId }]
  })
}

function nameOf(untilId: string): { month: string; endsAt: Date } {
  const endsAt = new Date(Number.parseInt(untilId.slice(0, 8) + untilId.slice(9, 13), 16))
  return { month: new Date(endsAt.getTime() - 1).toISOString().slice(0, 'yyyy-mm'.length), endsAt }
}
