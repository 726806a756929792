import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { archiveAction } from './archive-action.ts'
import { archivedTables, idLiteral, type KeptRows, tableNamed } from './archive-table-store.ts'
import type { TableMonth, Unit } from './archive-units.ts'
import { firstOfLinks, lastOfLinks, linksDigest } from './archived-link-store.ts'

/** The name of the partition with the rows that are kept. */
const keptName = ({ table }: TableMonth, { month }: Unit) => `${table}_kept_${month.replace('-', '_')}`

/** Selects the rows of a month and of earlier ones that were kept until now. */
const rowsOf = ({ month, kept }: TableMonth): Sql =>
  [month, ...kept]
    .map((name) => sql`select * from ${tableNamed(name)}`)
    .reduce((one, other) => sql`${one} union all ${other}`)

/**
 * Carries the balance of every account with lines in the month. It is the balance after the last range of lines that
 * lies in the month as a whole: lines that were booked in another order than their times are kept, and so is the rest of
 * a range, because only whole ranges are in the chain.
 */
export async function insertCarriedBalances(tx: Tx, unit: Unit, lines: TableMonth): Promise<void> {
  await tx.run(sql`
    -- every space: a month has rows of all Spaces
    insert into carried_balances (space_id, environment, account_id, until_id, seq, balance, last_seq, digest)
    select account.space_id, account.environment, account.account_id, ${unit.untilId}, ending.seq,
      coalesce(balance_after_line(account.space_id, account.environment, account.account_id, ending.seq), 0),
      account.last_seq, ''
    from (
      select space_id, environment, account_id, min(seq) as first_seq, max(seq) as last_seq,
        max(seq) filter (where seq - nth = before) as unbroken_seq
      from (
        select space_id, environment, account_id, seq, row_number() over account as nth,
          first_value(seq) over account - 1 as before
        from (${rowsOf(lines)}) line
        window account as (partition by space_id, environment, account_id order by seq)
      ) line
      group by space_id, environment, account_id
    ) account
    cross join lateral (
      select first_seq(account.space_id, account.environment, account.account_id) as seq
    ) next
    cross join lateral (
      select coalesce((
        select range.seq_to from book_ranges range
        where range.space_id = account.space_id and range.environment = account.environment
          and range.account_id = account.account_id and range.seq_to >= next.seq
          and range.seq_to <= case when account.first_seq = next.seq then account.unbroken_seq else 0 end
        order by range.seq_to desc limit 1), next.seq - 1) as seq
    ) ending`)
  await tx.run(
    sql`
    -- every space: a month has rows of all Spaces
    update carried_balances carried set digest = carried_digest(carried) where until_id = ${unit.untilId}`,
  )
}

/**
 * Creates the partitions with the rows that are kept. They are attached later. Until then, these rows cannot be changed, and
 * no seals can be added to the month.
 */
export async function createKept(tx: Tx, unit: Unit, keeping: Omit<KeptRows, 'kept'>): Promise<void> {
  // A table that has no months has all of its rows.
  const kept = (name: string) => {
    const part = unit.tables.find(({ table }) => table === name)
    return tableNamed(part ? keptName(part, unit) : name)
  }
  for (const { name: table, key, isFinal, keeps } of archivedTables) {
    const part = unit.tables.find((one) => one.table === table)
    if (!part) continue
    for (const earlier of part.kept)
      if (
        !earlier.startsWith(`${table}_kept_`) &&
        (await tx.one(sql`select 1 from ${tableNamed(earlier)} limit 1`))
      )
        throw new Error(`${earlier} has rows that were not archived with an earlier month`)
    const name = keptName(part, unit)
    if (table === 'book_seals')
      for (const sealed of [part.month, ...part.kept])
        await tx.run(sql`lock table ${tableNamed(sealed)} in share mode`)
    await tx.query(sql`select create_alike(${table}, ${`${table}_after`}, ${name})`)
    await tx.run(
      sql`alter table ${tableNamed(name)} add constraint ${tableNamed(`${name}_until`)} check (${tableNamed(key)} < ${idLiteral(unit.untilId)})`,
    )
    for (const from of [part.month, ...part.kept])
      await tx.run(sql`
        insert into ${tableNamed(name)}
        select old.* from ${tableNamed(from)} old where ${keeps({ ...keeping, kept })} ${isFinal ? nothing : sql`for share of old`}`)
    await tx.run(sql`analyze ${tableNamed(name)}`)
  }
}

/**
 * Records which links lose seals or audit entries: a digest of what they have in the month, and a digest of what they
 * have left.
 */
export async function insertArchivedLinks(tx: Tx, unit: Unit): Promise<void> {
  const of = (name: string) => unit.tables.find(({ table }) => table === name)
  const [seals, entries] = [of('book_seals'), of('audit_entries')]
  if (!seals || !entries) throw new Error('book_seals and audit_entries have no months')
  const left = (part: TableMonth) => sql`
    (select * from ${tableNamed(part.table)} where tableoid <> all (${[part.month, ...part.kept]}::text[]::regclass[]::oid[])
    union all select * from ${tableNamed(keptName(part, unit))})`
  const isKept = (part: TableMonth, key: Sql) => sql`
    exists (
      select 1 from ${tableNamed(keptName(part, unit))} kept
      where kept.space_id = old.space_id and kept.environment = old.environment and ${key})`
  await tx.run(sql`
    -- every space: a month has rows of all Spaces
    insert into archived_links (space_id, environment, number_from, until_id, number_to, archived, kept)
    select of.space_id, of.environment, of.number_from, ${unit.untilId}, of.number_to,
      ${linksDigest(sql`of`, tableNamed(seals.month), tableNamed(entries.month))},
      ${linksDigest(sql`of`, left(seals), left(entries))}
    from (
      select space_id, environment, number_from, least(${lastOfLinks(sql`number_from`)}, (
        select number from book_links link
        where link.space_id = lost.space_id and link.environment = lost.environment order by number desc limit 1
      )) as number_to
      from (
        select distinct space_id, environment, ${firstOfLinks(sql`number`)} as number_from from (
          select old.space_id, old.environment, old.number from (${rowsOf(seals)}) old
          where old.number > 0 and not ${isKept(seals, sql`kept.object_id = old.object_id and kept.number = old.number`)}
          union all
          select old.space_id, old.environment, chained.number from (${rowsOf(entries)}) old
          join book_audits chained on chained.space_id = old.space_id and chained.environment = old.environment
            and chained.id = old.id
          where not ${isKept(entries, sql`kept.id = old.id`)}
        ) link
      ) lost
    ) of`)
}

/** A Space with something in an archived month, and the digest of it. */
export type ArchivedBooks = Scope & { digest: string }

/** Records what was archived of the books of each Space, and returns it. */
export async function insertArchivedBooks(tx: Tx, { untilId }: Unit): Promise<ArchivedBooks[]> {
  await tx.run(sql`
    -- every space: a month has rows of all Spaces
    insert into archived_books (space_id, environment, until_id, digest)
    select space_id, environment, ${untilId}, archived_books_digest(space_id, environment, ${untilId})
    from (
      select space_id, environment from carried_balances where until_id = ${untilId}
      union select space_id, environment from archived_links where until_id = ${untilId}
    ) scope`)
  return tx.query<ArchivedBooks>(sql`
    -- every space: a month has rows of all Spaces
    select space_id, environment, encode(digest, 'hex') as digest from archived_books where until_id = ${untilId}`)
}

/** Keeps audit entries about this month that were written in the month, which happens only to test clocks. */
export const keepNewEntries = (tx: Tx, unit: Unit, entries: TableMonth, since: Date) =>
  tx.run(sql`
    -- every space: a month has rows of all Spaces
    insert into ${tableNamed(keptName(entries, unit))}
    select old.* from (${rowsOf(entries)}) old where old.action = ${archiveAction} and old.at >= ${since}`)

/**
 * Counts the rows of a month by table, including lines of earlier months that were kept until now, without which the
 * first range of an account cannot be proved.
 */
export async function countRows(db: Reader, unit: Unit): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { table, month, kept } of unit.tables)
    for (const name of table === 'ledger_lines' ? [month, ...kept] : [month]) {
      const { count } = await db.only<{ count: number }>(
        sql`select count(*)::float8 as count from ${tableNamed(name)}`,
      )
      if (count > 0 || name === month) counts[name] = count
    }
  return counts
}

/** Flushes the write-ahead log of all connections to disk, by a commit that writes nothing else. */
export const flushWal = (db: Database) =>
  db.write(sql`select pg_logical_emit_message(true, 'pesewa', 'archive')`)

/**
 * Locks the tables, so that nobody else uses them. A statement that is blocked by this lock waits for at most as long
 * as this statement waits for the lock, and for what follows.
 */
export const lockTables = (tx: Tx, unit: Unit) =>
  tx.run(sql`
    lock table ${unit.tables
      .map(({ table }) => sql`only ${tableNamed(table)}`)
      .reduce((one, other) => sql`${one}, ${other}`)} in access exclusive mode`)

/**
 * Detaches the month, and attaches the rows that are kept in its place. Others must not use the tables. This is one
 * statement, so that they do not wait for round trips.
 */
export const replacePartitions = (tx: Tx, unit: Unit) =>
  tx.run(sql`
    do $do$ begin
      ${unit.tables.flatMap((part) => replacements(part, unit)).reduce((one, other) => sql`${one} ${other}`)}
    end $do$`)

function replacements(part: TableMonth, unit: Unit): Sql[] {
  const table = tableNamed(part.table)
  const detached = [part.month, ...part.kept].map(
    (name) => sql`alter table ${table} detach partition ${tableNamed(name)};`,
  )
  const kept = tableNamed(keptName(part, unit))
  return [
    ...detached,
    sql`alter table ${table} attach partition ${kept} for values from (minvalue) to (${idLiteral(unit.untilId)});`,
  ]
}

/** The schema with the tables of archived months. */
export const archiveSchema = 'archive'

/** Creates the schema if it does not exist. The database user must be allowed to create schemas. */
export const createArchiveSchema = (db: Database) =>
  db.transaction((tx) => tx.run(sql`create schema if not exists ${tableNamed(archiveSchema)}`))

/**
 * Moves detached tables of archived months into the schema for them, and drops the tables with rows that were only kept
 * until a later month was archived. Repeating this does nothing.
 */
export async function moveDetached(db: Database): Promise<void> {
  const names = archivedTables.map(({ name }) => name).join('|')
  const detached = await db.query<{ name: string; isMonth: boolean }>(sql`
    -- every space: a month has rows of all Spaces
    select relname::text as name, exists (
        select 1 from archived_months month where jsonb_exists(month.tables, relname::text)
      ) as is_month
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
      and relname ~ ${`^(${names})_(kept_[0-9]{4}_[0-9]{2}|before|[0-9]{4}_[0-9]{2})$`}
      and exists (select 1 from archived_months)`)
  if (detached.length === 0) return
  await db.transaction(async (tx) => {
    for (const { name, isMonth } of detached)
      await tx.run(
        isMonth
          ? sql`alter table ${tableNamed(name)} set schema ${tableNamed(archiveSchema)}`
          : sql`drop table ${tableNamed(name)}`,
      )
  })
}
