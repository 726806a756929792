import { maxWalkedRows, type Stretch, walkBounded } from '../db/bounded-walk.ts'
import type { Database } from '../db/database.ts'
import { allOf, nothing, type Sql, sql } from '../db/sql.ts'
import { firstId } from '../ids.ts'
import type { Scope } from '../scope.ts'
import type { Page } from './route.ts'

// Lists that are ordered by id, newest first, and their filters. What a statement says does not depend on how many filters
// are used together: only the one that leads is part of its text, so that there are few texts, each planned once.

const beyondAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The ids that a page may have: older than the last of the page before, and of its times, which ids begin with. */
export function inPage({ after = beyondAllIds, from, to }: Page, id: Sql = sql`id`): Sql {
  const end = to === undefined ? after : least(after, firstId(to))
  return sql`and ${id} < ${end} and ${id} >= ${firstId(from ?? new Date(0))}`
}

/** Of two ids in their inner form, which are ordered as texts. */
const least = (one: string, other: string) => (one < other ? one : other)

/** One filter of a list. */
export type Filter = {
  /** Whether the request has it. */
  isUsed: boolean
  /** Finds the newest rows that fit: `few`, along any index, or so many along an index that ends in the id. */
  lead?: (atMost: number) => Sql
  leadsTo?: 'few' | 'many'
  /** Judges a row that another filter led to, always by the same text: true where the request does not have it. */
  fits: Sql
}

type Led = Pick<Filter, 'leadsTo'> & {
  /** The condition of a partial index, where theirs is one. */
  among?: Sql
}

/** Rows with this value in a column. Without `leadsTo` no index finds them. */
export function equals(column: Sql, type: Sql, value: unknown, { leadsTo, among }: Led = {}): Filter {
  const condition = sql`${column} = ${value ?? null} ${among ? sql`and ${among}` : nothing}`
  const fits = sql`(${value ?? null}::${type} is null or (${condition}))`
  return { isUsed: value !== undefined, fits, ...(leadsTo && { leadsTo, lead: () => condition }) }
}

/** They lie scattered: each may have to be read from a page of its own, unlike those of a list in its own order. */
const maxLedRows = 1_000 // limit: rows that a page looks through where one filter leads to many and others leave few

/** What a text names: conditions that find few rows each, or many along an index that ends in the id. */
export type Names = { few?: Sql[]; many?: Sql[] }

/**
 * Rows of a table that one of the conditions finds, the newest of each. Stands first in its list: it judges no rows that
 * another filter led to.
 */
export function named(
  table: Sql,
  { spaceId, environment }: Scope,
  page: Page,
  { few = [], many = [] }: Names = {},
): Filter {
  const rows = sql`select id from ${table} where space_id = ${spaceId} and environment = ${environment}`
  if (few.length + many.length === 0) return { isUsed: false, fits: sql`true` }
  const lead = (atMost: number) => {
    const newest = sql`${inPage(page)} order by id desc limit ${atMost}`
    const [first = nothing, ...others] = [
      ...few.map((finds) => sql`(${rows} and ${finds})`),
      ...many.map((finds) => sql`(${rows} and ${finds} ${newest})`),
    ]
    const all = others.reduce((before, branch) => sql`${before} union all ${branch}`, first)
    return sql`id = any(array(${all}))`
  }
  return {
    isUsed: true,
    fits: sql`true`,
    lead,
    leadsTo: many.length > 0 ? 'many' : 'few',
  }
}

/** A list, as its store has it. */
type FilteredList<Row> = {
  /** Selects all rows of the Space and environment; conditions may follow. */
  rows: Sql<Row>
  /** Of those that the request has, the first that can lead does: what leads to fewer stands before what leads to more. */
  filters: Filter[]
  page: Page
}

/**
 * A page of the rows that fit all filters. One filter leads. Where it leads to few, or is the only one, the page is read
 * along its index; else the rows it leads to are looked through, 1 000 at most; where none leads, those of
 * the list, 10 000 at most.
 */
export async function selectFiltered<Row>(
  db: Database,
  { rows, filters, page }: FilteredList<Row>,
): Promise<Stretch<Row>> {
  const used = filters.filter(({ isUsed }) => isUsed)
  const lead = used.find(({ leadsTo }) => leadsTo !== undefined)
  const isAll = used.every((filter) => filter === lead)
  const atMost = lead ? maxLedRows : maxWalkedRows
  const condition = lead?.lead?.(isAll ? page.take : atMost)
  const led = sql`${rows} ${inPage(page)} ${condition ? sql`and ${condition}` : nothing}`
  const newest = sql`order by id desc limit ${page.take}`
  const fit = allOf(filters.map(({ fits }) => fits))
  // The few are found before anything else is thought of: the order's index would lead through all of the Space's.
  if (lead?.leadsTo === 'few')
    return whole(
      await db.query<Row>(
        sql`select * from (${led} offset 0) few where ${isAll ? sql`true` : fit} ${newest}`,
      ),
    )
  if (isAll) return whole(await db.query<Row>(sql`${led} ${newest}`))
  return walkBounded<Row>(db, { ordered: led, column: sql`id`, fit, take: page.take, atMost })
}

const whole = <Row>(rows: Row[]): Stretch<Row> => ({ rows, stoppedAt: undefined })
