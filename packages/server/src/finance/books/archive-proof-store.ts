import type { ArchivedMonth } from '../../platform/db/archived-months.ts'
import type { Row, Tx } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { archiveSchema } from './archive-store.ts'
import { tableNamed } from './archive-table-store.ts'
import { linksDigest } from './archived-link-store.ts'

/** What was compared with the books, and the first differences. */
export type ArchiveProof = { month: string; rows: number; checks: number; differences: object[] }

const maxDifferences = 20 // differences reported per check

/**
 * Verifies the rows of an archived month, which must be in the schema for archived months: its lines are those in the
 * chain, its seals and audit entries are those that were archived, and each of its objects matches its last seal.
 *
 * @throws Error if a table of the month is missing
 */
export async function selectArchiveProof(tx: Tx, archived: ArchivedMonth): Promise<ArchiveProof> {
  const { month, tables, untilId } = archived
  const names = Object.keys(tables)
  const of = (table: string): Sql => {
    const name = names.find(
      (one) => one.startsWith(table) && /^_(before|\d{4}_\d\d)$/.test(one.slice(table.length)),
    )
    return tableNamed(`${archiveSchema}.${name ?? table}`)
  }
  const has = (table: string) => names.some((one) => one.startsWith(`${table}_`))
  const checks = [
    countCheck(tables),
    linesCheck(
      untilId,
      names.filter((name) => name.startsWith('ledger_lines_')),
    ),
    linksCheck(untilId, of('book_seals'), of('audit_entries')),
    ...sealed.filter(({ table }) => has(table)).map((one) => sealCheck(one, of(one.table), of('book_seals'))),
  ]
  const differences: object[] = []
  await tx.query(sql`
    select set_config('statement_timeout', '0', true), set_config('timezone', 'UTC', true),
      set_config('datestyle', 'ISO', true)`)
  for (const check of checks)
    differences.push(
      ...(await tx.query<Row>(sql`select * from (${check}) difference limit ${maxDifferences}`)),
    )
  return {
    month,
    rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0),
    checks: checks.length,
    differences,
  }
}

/** Selects the tables that do not have as many rows as were archived. */
const countCheck = (tables: Record<string, number>): Sql =>
  Object.entries(tables)
    .map(
      ([name, rows]) => sql`
        select ${name}::text as table, count(*)::text as rows, ${rows}::text as archived_rows
        from ${tableNamed(`${archiveSchema}.${name}`)} having count(*) <> ${rows}::float8`,
    )
    .reduce((one, other) => sql`${one} union all ${other}`)

/** Selects the ranges of archived lines whose digests in the chain differ from their lines in the archive. */
const linesCheck = (untilId: string, names: string[]): Sql => sql`
  -- every space: a month has rows of all Spaces
  select range.space_id, range.environment, range.account_id, range.seq_from::text, range.seq_to::text
  from carried_balances carried
  join book_ranges range on range.space_id = carried.space_id and range.environment = carried.environment
    and range.account_id = carried.account_id and range.seq_to <= carried.seq
    and range.seq_to > coalesce((
      select seq from carried_balances earlier
      where earlier.space_id = carried.space_id and earlier.environment = carried.environment
        and earlier.account_id = carried.account_id and earlier.until_id < carried.until_id
      order by until_id desc limit 1), 0)
  where carried.until_id = ${untilId} and range.digest is distinct from (
    select digest_of(case when range.seq_from = 1 then (
      select row(account.kind, account.purpose, account.currency, account.allows_negative, financial.currency,
        financial.uvan, financial.created_at)::text
      from ledger_accounts account
      left join financial_accounts financial on financial.space_id = account.space_id
        and financial.environment = account.environment and financial.id = account.id
      where account.space_id = range.space_id and account.environment = range.environment and account.id = range.account_id
    ) else '' end || string_agg(row(seq, id, amount, currency, balance_after, reference, is_financial, owners, fee_code,
      reversed_line_id, reversed_reference, at)::text, e'\\n' order by seq))
    from (${names
      .map((name) => sql`select * from ${tableNamed(`${archiveSchema}.${name}`)}`)
      .reduce((one, other) => sql`${one} union all ${other}`)}) line
    where line.space_id = range.space_id and line.environment = range.environment
      and line.account_id = range.account_id and line.seq between range.seq_from and range.seq_to)`

/** Selects the links whose seals or audit entries in the archive are not those that were archived. */
const linksCheck = (untilId: string, seals: Sql, entries: Sql): Sql => sql`
  -- every space: a month has rows of all Spaces
  select archived.space_id, archived.environment, archived.number_from::text, archived.number_to::text
  from archived_links archived
  where archived.until_id = ${untilId} and archived.archived is distinct from ${linksDigest(sql`archived`, seals, entries)}`

/** The tables whose objects are sealed, with the functions that return what is sealed. */
const sealed = [
  { table: 'payments', type: 'payment', terms: sql`payment_terms(now)`, outcome: sql`payment_outcome(now)` },
  {
    table: 'checkout_sessions',
    type: 'checkout_session',
    terms: sql`checkout_session_terms(now)`,
    outcome: sql`checkout_session_outcome(now)`,
  },
  { table: 'orders', type: 'order', terms: sql`order_terms(now)`, outcome: sql`null::text` },
]

/**
 * Selects the objects that do not match their last seals in the archive, and those that have seals but are missing. The
 * row of an object gets the columns that the table has now.
 */
const sealCheck = (
  { table, type, terms, outcome }: (typeof sealed)[number],
  objects: Sql,
  seals: Sql,
): Sql => sql`
  select coalesce(object.space_id, seal.space_id) as space_id, coalesce(object.id, seal.object_id) as id
  from (
    select object.space_id, object.environment, object.id, digest_of(${terms}) as terms, digest_of(${outcome}) as outcome
    from ${objects} object cross join lateral json_populate_record(null::${tableNamed(table)}, to_json(object)) now
  ) object
  full join (
    select distinct on (space_id, environment, object_id) space_id, environment, object_id, terms, outcome
    from ${seals} seal where object_type = ${type}
    order by space_id, environment, object_id, number desc
  ) seal on seal.space_id = object.space_id and seal.environment = object.environment and seal.object_id = object.id
  where object.terms is distinct from seal.terms or object.outcome is distinct from seal.outcome`
