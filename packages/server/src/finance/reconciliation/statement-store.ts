import { bigint, integer, orNull, text, time } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { type Extent, inExtent, type StatementSource } from './clearing-store.ts'
import type { Signed } from './signed.ts'
import type { StatementLine } from './statement-file.ts'

/**
 * Takes the lock that allows only one import or matching at a time. The lock is held until the transaction
 * ends. Returns false if another import or matching is running.
 */
export const lockReconciliation = async (tx: Tx): Promise<boolean> =>
  (await tx.only<{ isMine: boolean }>(sql`select pg_try_advisory_xact_lock(715004) as is_mine`)).isMine

export const insertStatement = async (
  tx: Tx,
  { providerId, environment }: StatementSource,
  { fileName, at, by }: { fileName: string; at: Date; by: string | null },
) =>
  // every space: statements cover the operator's provider account
  (
    await tx.only<{ id: bigint }>(sql`
    insert into statements (provider_id, environment, file_name, from_at, until_at, lines, new_lines, imported_at,
      imported_by)
    values (${providerId}, ${environment}, ${fileName}, ${at}, ${at}, 0, 0, ${at}, ${by})
    returning id`)
  ).id

/** Updates a statement. Returns the details of its audit entry, which include its lines. */
export const updateStatement = (
  tx: Tx,
  id: bigint,
  { from, until, lines, newLines }: { from: Date; until: Date; lines: number; newLines: number },
) =>
  // every space: statements cover the operator's provider account
  tx.only<Signed>(sql`
    update statements s set from_at = ${from}, until_at = ${until}, lines = ${lines}, new_lines = ${newLines}
    where id = ${id}
    returning counted_id(id) as object_id, statement_details(s) as details`)

/** A line whose number already exists, either with different values or in the same file. */
export type LineConflict = { line: number; knownLine: number; knownFile: string; isSameFile: boolean }

export const selectConflicts = (
  db: Reader,
  { providerId, environment }: StatementSource,
  statementId: bigint,
  lines: StatementLine[],
) =>
  // every space: a statement line has no Space until it is matched
  db.query<LineConflict>(sql`
    select requested.line, known.line as known_line, statement.file_name as known_file,
      known.statement_id = ${statementId} as is_same_file
    from ${lineRows(lines)}
    -- Looks lines up one by one, by primary key: with statistics from when the table was empty, the planner would compare every line with all others.
    cross join lateral (
      select * from statement_lines
      where provider_id = ${providerId} and environment = ${environment} and id = requested.id offset 0
    ) known
    join statements statement on statement.id = known.statement_id
    where known.statement_id = ${statementId}
      or (known.moved_at, known.direction, known.amount, known.currency, known.reference, known.rail_transaction)
        is distinct from
        (requested.moved_at, requested.direction, requested.amount, requested.currency, requested.reference, requested.rail_transaction)
    order by requested.line`)

/** Returns when the money of a statement line moved, or `undefined` if there is no such line. */
export const selectMovedAt = (db: Reader, { providerId, environment }: StatementSource, lineId: string) =>
  // every space: a statement line has no Space until it is matched
  db.one<{ movedAt: Date }>(sql`
    select moved_at from statement_lines
    where provider_id = ${providerId} and environment = ${environment} and id = ${lineId}`)

/** Inserts lines. Returns the number of lines that were new. */
export const insertLines = (
  tx: Tx,
  { providerId, environment }: StatementSource,
  statementId: bigint,
  lines: StatementLine[],
) =>
  // every space: a statement line has no Space until it is matched
  tx.run(sql`
    insert into statement_lines (provider_id, environment, id, statement_id, line, moved_at, direction, amount,
      currency, reference, rail_transaction)
    select ${providerId}, ${environment}, id, ${statementId}, line, moved_at, direction, amount, currency, reference,
      rail_transaction
    from ${lineRows(lines)}
    on conflict (provider_id, environment, id) do nothing`)

const lineRows = unnest({
  line: integer,
  id: text,
  movedAt: time,
  direction: text,
  amount: bigint,
  currency: text,
  reference: orNull(text),
  railTransaction: orNull(text),
})

export type Statement = StatementSource & {
  id: bigint
  fileName: string
  fromAt: Date
  untilAt: Date
  lines: number
  newLines: number
  importedAt: Date
  importedBy: string | null
}

const statementColumns = sql`id, provider_id, environment, file_name, from_at, until_at, lines, new_lines, imported_at,
  imported_by`

/** Lists statements, most recently imported first. */
export const selectStatements = (db: Reader, { take, after, from, to }: Page) =>
  // every space: statements cover the operator's provider account
  db.query<Statement>(sql`
    select ${statementColumns} from statements
    where (${after ?? null}::bigint is null or id < ${after ?? null}::bigint)
      and (${from ?? null}::timestamptz is null or imported_at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or imported_at < ${to ?? null}::timestamptz)
    order by id desc limit ${take}`)

export const selectStatement = (db: Reader, id: string) =>
  // every space: statements cover the operator's provider account
  db.one<Statement>(sql`select ${statementColumns} from statements where id = ${id}::bigint`)

/** Returns how many of the first lines of a statement are matched. Looks at no more than `atMost` lines. */
export const countMatched = (db: Reader, statement: Statement, atMost: number) =>
  // every space: a statement line has no Space until it is matched
  db.only<{ looked: number; matched: number }>(sql`
    select count(*)::int as looked, count(space_id)::int as matched from (
      select space_id from statement_lines
      where provider_id = ${statement.providerId} and environment = ${statement.environment}
        and moved_at >= ${statement.fromAt} and moved_at < ${statement.untilAt} and statement_id = ${statement.id}
      order by moved_at limit ${atMost}) line`)

/** Returns the provider accounts that have statements. */
export const selectSources = (db: Reader, extent: Extent) =>
  // every space: statements cover the operator's provider account
  db.query<StatementSource>(sql`
    select distinct provider_id, environment from statements where ${inExtent(extent)} order by provider_id, environment`)
