import type { Check, Subject } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, costing, type Walk } from '../../platform/db/walk.ts'
import { archiveAction } from './archive-action.ts'
import { linksDigest } from './archived-link-store.ts'

/** There are few of these rows, so all of them count as new. */
const each = (walk: Walk): Subject => ({ all: [walk], since: () => [walk] })

const carried = each(
  costing(100, alongIndex(sql`carried_balances`, sql`space_id, environment, account_id, until_id`)),
)
const links = each(
  costing(10_000, alongIndex(sql`archived_links`, sql`space_id, environment, number_from, until_id`)),
)
const books = each(costing(10_000, alongIndex(sql`archived_books`, sql`space_id, environment, until_id`)))
const months = each(alongIndex(sql`archived_months`, sql`until_id`))
const lines: Subject = {
  all: [alongIndex(sql`ledger_lines`, sql`space_id, environment, account_id, seq`)],
  since: () => [],
}

const inArchivedBooks = (row: Sql): Sql => sql`
  exists (
    select 1 from archived_books books
    where books.space_id = ${row}.space_id and books.environment = ${row}.environment and books.until_id = ${row}.until_id)`

/**
 * These checks verify what remains of archived months. The digests of a Space's carried balances and links are in
 * `archived_books`. Each digest there includes the previous one, and the last one is in an audit entry, which is chained
 * like any other.
 */
export const archiveChecks: Check[] = [
  {
    name: 'every carried balance matches the archived lines of its account, according to the chain',
    about: carried,
    differences: (rows) => sql`
      select carried.space_id, carried.environment, carried.account_id, carried.seq::text, carried.balance::text
      from ${rows} carried
      where carried.digest is distinct from (
          select carried_digest(c) from carried_balances c
          where c.space_id = carried.space_id and c.environment = carried.environment
            and c.account_id = carried.account_id and c.until_id = carried.until_id)
        or not ${inArchivedBooks(sql`carried`)}`,
  },
  {
    name: 'the seals and audit entries that links have left are those that they had left when a month was archived',
    about: links,
    differences: (rows) => sql`
      select archived.space_id, archived.environment, archived.number_from::text, archived.number_to::text
      from ${rows} archived
      where not ${inArchivedBooks(sql`archived`)}
        or (archived.kept is distinct from ${linksDigest(sql`archived`, sql`book_seals`, sql`audit_entries`)}
          and not exists (
            select 1 from archived_links later
            where later.space_id = archived.space_id and later.environment = archived.environment
              and later.number_from = archived.number_from and later.until_id > archived.until_id))`,
  },
  {
    name: 'what was archived of the books of every Space has an audit entry',
    about: books,
    differences: (rows) => sql`
      select books.space_id, books.environment, books.until_id, encode(books.digest, 'hex') as digest
      from ${rows} books
      where books.digest is distinct from archived_books_digest(books.space_id, books.environment, books.until_id)
        or not exists (select 1 from archived_months month where month.until_id = books.until_id)
        or (not exists (
            select 1 from archived_books later
            where later.space_id = books.space_id and later.environment = books.environment
              and later.until_id > books.until_id)
          and not exists (
            select 1 from audit_entries entry
            where entry.space_id = books.space_id and entry.environment = books.environment
              and entry.object_type = 'space' and entry.object_id = books.space_id and entry.action = ${archiveAction}
              and entry.details ->> 'digest' = encode(books.digest, 'hex')))`,
  },
  {
    name: 'every archived month was archived for at least one Space, and is named after its last day',
    about: months,
    differences: (rows) => sql`
      -- every space: a month has rows of all Spaces
      select month.month, month.until_id
      from ${rows} month
      where not exists (select 1 from archived_books books where books.until_id = month.until_id)
        or month.month <> to_char((id_moment(month.until_id) - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM')`,
  },
  {
    name: 'every line of an archived month is one that was kept',
    about: lines,
    differences: (rows) => sql`
      select line.space_id, line.environment, line.account_id, line.seq::text
      from ${rows} line
      where line.id < (select archived_until()) and not exists (
        select 1 from carried_balances carried
        where carried.space_id = line.space_id and carried.environment = line.environment
          and carried.account_id = line.account_id and line.seq > carried.seq and line.seq <= carried.last_seq
          and line.id < carried.until_id)`,
  },
]
