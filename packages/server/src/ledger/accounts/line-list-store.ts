import { walkBounded } from '../../platform/db/bounded-walk.ts'
import type { Database } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Listed, Page } from '../../platform/http/commands/route.ts'
import { equals, inPage } from '../../platform/http/lists/filters.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { whereReference } from './reference.ts'
import { accountIds } from './resources.ts'
import { type Line, lines } from './store.ts'

/**
 * The maximum time by which lines can be out of order. This is enough, because live clocks are never set back
 * and no transaction takes this long.
 */
const maxDisorderMs = 5 * 60_000 // maximum time by which a line's timestamp may be earlier than that of the previous line

export type LineFilter = {
  q?: string | undefined
  accountId?: string | undefined
  reference?: string | undefined
  type?: 'credit' | 'debit' | undefined
}

/**
 * Lists lines, newest first. The lines of one account are listed in the reverse of booking order, so that each
 * running balance follows from the next one in the list. The index has the same order.
 */
export async function selectLines(
  db: Database,
  scope: Scope,
  { q, accountId, reference, type }: LineFilter,
  page: Page,
): Promise<Listed<Line>> {
  const named = q === undefined ? undefined : readObjectId(q)
  const namedAccount = named?.ids === accountIds ? named.id : undefined
  const few = [
    ...(reference === undefined ? [] : [whereReference(reference)]),
    ...(named && namedAccount === undefined ? [sql`and id = ${named.id}`] : []),
    ...(q === undefined || named ? [] : [whereReference(q)]),
  ]
  const account = accountId ?? namedAccount
  if (namedAccount !== undefined && namedAccount !== account) return []
  const fits = sql`is_financial and ${equals(sql`account_id`, sql`uuid`, account).fits} and ${matchesSign(type)}`
  const newest = sql`order by id desc limit ${page.take}`
  const all = sql`${few.reduce((before, each) => sql`${before} ${each}`, rowsOf(scope))}`
  if (few.length > 0)
    return db.query<Line>(sql`select * from (${all} ${inPage(page)} offset 0) few where ${fits} ${newest}`)

  if (account !== undefined) return selectInAccount(db, scope, account, { fits, type }, page)
  if (type === undefined) return db.query<Line>(sql`${all} ${inPage(page)} and is_financial ${newest}`)
  // No index includes the sign of the amount, because every posting would have to update that index.
  return walkBounded(db, {
    ordered: sql`${all} ${inPage(page)}`,
    column: sql`id`,
    fit: fits,
    take: page.take,
  })
}

/** Walks the lines of an account by their numbers, whose order is nearly the same as that of their timestamps. */
async function selectInAccount(
  db: Database,
  scope: Scope,
  account: string,
  { fits, type }: { fits: Sql; type: LineFilter['type'] },
  { take, after, from, to }: Page,
): Promise<Listed<Line>> {
  const { spaceId, environment } = scope
  const near = (at: Date) => sql`(select ledger_seq_near(${spaceId}, ${environment}, ${account}, ${at}))`
  const isOrdered = environment === 'live'
  const ordered = sql`
    ${rowsOf(scope)} and account_id = ${account}
      ${from && isOrdered ? sql`and seq >= ${near(new Date(from.getTime() - maxDisorderMs))}` : nothing}
      ${to && isOrdered ? sql`and seq < ${near(new Date(to.getTime() + maxDisorderMs))}` : nothing}
      ${
        after === undefined
          ? nothing
          : sql`and seq < (
              select seq from ledger_lines
              where space_id = ${spaceId} and environment = ${environment} and id = ${after})`
      }`
  if (type === undefined && from === undefined && to === undefined)
    return db.query<Line>(sql`${ordered} and is_financial order by seq desc limit ${take}`)
  const fit = sql`${fits} ${inPage({ take, after: undefined, from, to })}`
  return walkBounded(db, { ordered, column: sql`seq`, fit, take })
}

const rowsOf = ({ spaceId, environment }: Scope) => sql`
  select ${lines.columns} from ledger_lines
  where space_id = ${spaceId} and environment = ${environment}`

const matchesSign = (type: LineFilter['type'] = undefined) =>
  sql`(${type ?? null}::text is null or (amount > 0) = (${type ?? null} = 'credit'))`
