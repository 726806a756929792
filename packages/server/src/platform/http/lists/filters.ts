import { maxWalkedRows, type Stretch, walkBounded } from '../../db/bounded-walk.ts'
import type { Database } from '../../db/database.ts'
import { allOf, nothing, type Sql, sql } from '../../db/sql.ts'
import type { Table } from '../../db/table.ts'
import { firstId } from '../../ids.ts'
import type { Scope } from '../../scope.ts'
import type { Page } from '../commands/route.ts'

// Filters for lists that are ordered by id, newest first. The text of a statement depends only on the leading
// filter, not on the others, so there are few different texts and each is planned once.

const beyondAllIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Returns the condition that restricts ids to a page: they must be lower than the last id of the previous page,
 * and lie within the page's time range. The time range can be applied to ids because they begin with a time.
 */
export function inPage({ after = beyondAllIds, from, to }: Page, id: Sql = sql`id`): Sql {
  const end = to === undefined ? after : least(after, firstId(to))
  return sql`and ${id} < ${end} and ${id} >= ${firstId(from ?? new Date(0))}`
}

/** Returns the smaller of two ids. Ids in their internal form can be compared as text. */
const least = (one: string, other: string) => (one < other ? one : other)

/** The table that a list is read from, with the part of it that is read. */
type ListOf<Row> = Pick<Table<Row, never>, 'table' | 'of'>

export type Filter = {
  /** True if the request uses this filter. */
  isUsed: boolean
  /**
   * Returns the condition that finds the newest matching rows. It reads either a few rows along any index, or
   * `atMost` rows along an index that ends with the id.
   */
  lead?: (atMost: number, table: Sql, scope: Scope, page: Page) => Sql
  leadsTo?: 'few' | 'many'
  /**
   * The condition that checks a row found by another filter. Its text never changes, and it is true if the
   * request does not use this filter.
   */
  fits: Sql
}

/** The values of a request for a list: of its filter `q`, and of those that are called like their columns. */
export type FilterOf<Row, Name extends keyof Row = never> = { q?: string | undefined } & {
  [N in Name]?: NonNullable<Row[N]> | undefined
}

type Led = Pick<Filter, 'leadsTo'> & {
  /** The condition of the partial index that serves this filter. */
  among?: Sql
}

/**
 * Returns a filter for rows with this value in a column. `leadsTo` must be omitted if no index serves the
 * filter.
 */
export function equals(column: Sql, type: Sql, value: unknown, { leadsTo, among }: Led = {}): Filter {
  const condition = sql`${column} = ${value ?? null} ${among ? sql`and ${among}` : nothing}`
  const fits = sql`(${value ?? null}::${type} is null or (${condition}))`
  return { isUsed: value !== undefined, fits, ...(leadsTo && { leadsTo, lead: () => condition }) }
}

/**
 * Lower than the usual limit, because these rows are scattered: unlike the rows of a list in its own order,
 * each may be on a different page of the table.
 */
const maxLedRows = 1_000 // rows scanned for a page if one filter matches many rows and the others match few

/**
 * Conditions for a search by name. Those in `few` find few rows. Those in `many` may find many rows, and use an
 * index that ends with the id.
 */
export type Names = { few?: Sql[]; many?: Sql[] }

/**
 * Returns the filter `q`, which finds the newest rows that match one of the conditions. It must be the first
 * filter of its list, because it cannot check rows found by another filter.
 */
export function nameFilter(q: string | undefined, conditionsOf: (q: string) => Names): Filter {
  const { few = [], many = [] } = q === undefined ? {} : conditionsOf(q)
  if (few.length + many.length === 0) return { isUsed: false, fits: sql`true` }
  const lead: Filter['lead'] = (atMost, table, { spaceId, environment }, page) => {
    const rows = sql`select id from ${table} where space_id = ${spaceId} and environment = ${environment}`
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

/**
 * Selects a page of rows that match all filters. One filter leads: if it finds few rows or is the only filter,
 * the page is read along its index; otherwise, at most 1 000 of its rows are scanned. Without a leading filter,
 * at most 10 000 rows of the list are scanned.
 *
 * @param filters the leading filter is the first one that has `leadsTo` and is used by the request, so the most
 * selective filters must come first
 */
export async function selectFiltered<Row>(
  db: Database,
  { table, of }: ListOf<Row>,
  scope: Scope,
  page: Page,
  filters: Filter[],
): Promise<Stretch<Row>> {
  const used = filters.filter(({ isUsed }) => isUsed)
  const lead = used.find(({ leadsTo }) => leadsTo !== undefined)
  const isAll = used.every((filter) => filter === lead)
  const atMost = lead ? maxLedRows : maxWalkedRows
  const condition = lead?.lead?.(isAll ? page.take : atMost, table, scope, page)
  const led = sql`${of(scope)} ${inPage(page)} ${condition ? sql`and ${condition}` : nothing}`
  const newest = sql`order by id desc limit ${page.take}`
  const fit = allOf(filters.map(({ fits }) => fits))
  // `offset 0` makes the planner find the few rows first instead of scanning the whole Space in id order.
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

/**
 * Returns a filter for rows that contain a text in one of the columns, ignoring case and accents, which people
 * often omit when they search. No index is used. A text index would cost one more write for each row, and only
 * people, not programs, search by text, mostly for recent objects.
 */
export const containsText = (text: string | undefined, columns: Sql[]): Filter =>
  matchesPattern(text === undefined ? null : looseRegex(text), columns)

/**
 * Returns a filter like `containsText`, but for whole words only. It is for personal data that some callers see
 * masked, so that they cannot find out a name letter by letter.
 */
export const containsWords = (text: string, columns: Sql[]): Filter =>
  matchesPattern(`(^|\\s)${looseRegex(text.trim())}($|\\s)`, columns)

function matchesPattern(pattern: string | null, columns: Sql[]): Filter {
  const [first = sql`false`, ...others] = columns.map((column) => sql`${column} ~ ${pattern}::text`)
  const isMatch = others.reduce((all, one) => sql`${all} or ${one}`, first)
  return { isUsed: pattern !== null, fits: sql`(${pattern}::text is null or ${isMatch})` }
}

/** Quotation marks that people type for the apostrophe of a name. */
const apostrophes = /['’‘ʼ]/

const accented: Record<string, string> = {
  a: 'àâäáã',
  c: 'ç',
  e: 'éèêë',
  i: 'íîïì',
  n: 'ñ',
  o: 'óôöòõ',
  u: 'úûüù',
  y: 'ÿ',
}

/**
 * Returns a regular expression of PostgreSQL that matches a text in any case, with or without accents, and with any
 * apostrophe. Removing
 * case and accents from each row with `translate` takes five times as long.
 */
export const looseRegex = (text: string): string =>
  [...text.normalize('NFC')]
    .map((character) => {
      if (apostrophes.test(character)) return apostrophes.source
      if (!/\p{L}/u.test(character)) return character.replace(/[.*+?^$|\\()[\]{}]/, '\\$&')
      const base = character
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase()
      const letters = [base, character.toLowerCase(), ...(accented[base] ?? '')]
      const all = letters.flatMap((letter) => [letter, letter.toUpperCase()])
      return `[${[...new Set(all.filter((letter) => [...letter].length === 1))].join('')}]`
    })
    .join('')
