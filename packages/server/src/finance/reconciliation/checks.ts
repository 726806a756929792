import { archivedSeq } from '../../ledger/accounts/carried-balances.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, costing, mapRows } from '../../platform/db/walk.ts'
import { installationId } from '../../tenants/spaces/chained-changes.ts'
import { auditEntries } from '../../tenants/spaces/since.ts'
import { bookedIn, statedIn } from './day-store.ts'
import { importCommand, importReason, signedActions } from './signed.ts'

/**
 * Items closed by hand. All of them count as new, because they are few and their ids do not increase with a
 * Space's clock.
 */
const closings: Subject = {
  all: [alongIndex(sql`item_closings`, sql`id`)],
  since: () => [alongIndex(sql`item_closings`, sql`id`)],
}

/** Closed days. Checking them is costly, because the lines of each day are read again. */
const days = costing(10_000, alongIndex(sql`closed_days`, sql`id`))
const closedDays: Subject = {
  all: [days],
  since: (at) => [mapRows(days, (rows) => sql`(select * from ${rows} day where day.closed_at >= ${at})`)],
}

/** Statements. Checking them is costly, because the lines of each statement are read again. */
const statementWalk = costing(10_000, alongIndex(sql`statements`, sql`id`))
const statements: Subject = {
  all: [statementWalk],
  since: (at) => [
    mapRows(
      statementWalk,
      (rows) => sql`(select * from ${rows} statement where statement.imported_at >= ${at})`,
    ),
  ],
}

const lineWalk = alongIndex(sql`statement_lines`, sql`provider_id, environment, id`)
const statedLines: Subject = {
  all: [lineWalk],
  since: (at) => statements.since(at).map((walk) => mapRows(walk, linesOf)),
}
const linesOf = (rows: Sql) => sql`
  (select line.* from ${rows} statement
  cross join lateral (
    select * from statement_lines line
    where line.provider_id = statement.provider_id and line.environment = statement.environment
      and line.moved_at between statement.from_at and statement.until_at
    offset 0
  ) line
  where line.statement_id = statement.id)`

const openWalk = alongIndex(sql`open_clearing_lines`, sql`space_id, environment, account_id, seq`)
/** Open lines. Only the nightly proof checks them, because new ones cannot be found by time. */
const openLines: Subject = { all: [openWalk], since: () => [] }

/** True if the line of the account in row `of` with the number in this row has been archived. */
const isArchivedLine = (of: Sql): Sql => sql`(${of}.seq <= ${archivedSeq(of)})`

const sumOf = (direction: Direction) =>
  sql`coalesce(sum(amount) filter (where direction = ${direction}), 0)::bigint`

/**
 * A type of row that finance signs. In the SQL, `object` is the row, and `details`, `by` and `reason` are the
 * details, actor and reason that its audit entry must contain.
 */
type SignedRow = {
  did: keyof typeof signedActions
  table: Sql
  details: Sql
  by: Sql
  reason: Sql
  isSigned?: Sql
}

const statement: SignedRow = {
  did: 'importStatement',
  table: sql`statements`,
  details: sql`statement_details(object)`,
  by: sql`coalesce(object.imported_by, ${importCommand})`,
  reason: sql`${importReason}`,
}
const closedDay: SignedRow = {
  did: 'closeDay',
  table: sql`closed_days`,
  details: sql`closed_day_details(object)`,
  by: sql`object.closed_by`,
  reason: sql`object.reason`,
}
const reopenedDay: SignedRow = {
  did: 'reopenDay',
  table: sql`closed_days`,
  details: sql`reopened_day_details(object)`,
  by: sql`object.reopened_by`,
  reason: sql`object.reopening_reason`,
  isSigned: sql`object.reopened_at is not null`,
}
const closedItem: SignedRow = {
  did: 'closeItem',
  table: sql`item_closings`,
  details: sql`item_closing_details(object)`,
  by: sql`object.closed_by`,
  reason: sql`object.reason`,
}

/** Selects the rows in a walk over `table` that have no matching audit entry. */
const withoutEntry = (
  { did, table, details, by, reason, isSigned = sql`true` }: SignedRow,
  rows: Sql,
): Sql => {
  const { action, objectType } = signedActions[did]
  // every space: signed rows are in the installation's chain
  return sql`
    select ${action}::text as action, object.id::text, object.provider_id, object.environment
    from ${rows} walked
    cross join lateral (select * from ${table} object where object.id = walked.id offset 0) object
    where ${isSigned} and not exists (
      select 1 from audit_entries entry
      where entry.space_id = ${installationId} and entry.environment = object.environment
        and entry.object_type = ${objectType} and entry.object_id = counted_id(object.id) and entry.action = ${action}
        and entry.actor = ${by} and entry.reason = ${reason} and entry.details::jsonb = ${details})`
}

/** True if the row that the audit entry `entry` refers to exists. */
const hasRow = ({ did, table, isSigned = sql`true` }: SignedRow): Sql => sql`
  when ${signedActions[did].action} then exists (
    select 1 from ${table} object
    where object.id = (('x' || right(entry.object_id::text, 12))::bit(48))::bigint
      and object.environment = entry.environment and ${isSigned})`

export const reconciliationChecks: Check[] = [
  {
    name: 'every statement matches its audit entry, including the lines',
    about: statements,
    differences: (rows) => withoutEntry(statement, rows),
  },
  {
    name: 'every closed or reopened day matches its audit entry',
    about: closedDays,
    differences: (rows) => sql`
      select * from (${withoutEntry(closedDay, rows)}) closed
      union all
      select * from (${withoutEntry(reopenedDay, rows)}) reopened`,
  },
  {
    name: 'every closed item matches its audit entry',
    about: closings,
    differences: (rows) => withoutEntry(closedItem, rows),
  },
  {
    name: 'every audit entry for an import, closing or reopening has a matching row',
    about: auditEntries,
    differences: (rows) => sql`
      select entry.environment, entry.id, entry.action, entry.actor
      from ${rows} entry
      where entry.space_id = ${installationId} and not case entry.action
        ${[statement, closedDay, reopenedDay, closedItem]
          .map(hasRow)
          .reduce((one, other) => sql`${one} ${other}`)} else true end`,
  },
  {
    name: 'every statement line belongs to a statement and equals the ledger line it is matched with',
    about: statedLines,
    differences: (rows) => sql`
      select line.provider_id, line.environment, line.id, line.statement_id::text
      from ${rows} line
      where not exists (
          select 1 from statements
          where statements.id = line.statement_id and statements.provider_id = line.provider_id
            and statements.environment = line.environment and line.moved_at between from_at and until_at)
        or (line.space_id is not null and not ${isArchivedLine(sql`line`)} and not exists (
          select 1 from ledger_accounts account
          join ledger_lines booked on booked.space_id = account.space_id and booked.environment = account.environment
            and booked.account_id = account.id
          where account.space_id = line.space_id and account.environment = line.environment
            and account.id = line.account_id and account.kind = 'clearing' and account.provider_id = line.provider_id
            and booked.seq = line.seq and booked.currency = line.currency
            and booked.amount = case line.direction when 'collection' then -line.amount else line.amount end))`,
  },
  {
    name: 'every ledger line that awaits a statement equals its line in the books and is not matched',
    about: openLines,
    differences: (rows) => sql`
      select open.space_id, open.environment, open.account_id, open.seq::text
      from ${rows} open
      where (not ${isArchivedLine(sql`open`)} and not exists (
          select 1 from ledger_accounts account
          join ledger_lines booked on booked.space_id = account.space_id and booked.environment = account.environment
            and booked.account_id = account.id
          where account.space_id = open.space_id and account.environment = open.environment
            and account.id = open.account_id and account.kind = 'clearing' and account.provider_id = open.provider_id
            and booked.seq = open.seq and booked.currency = open.currency and booked.at = open.booked_at
            and booked.amount = case open.direction when 'collection' then -open.amount else open.amount end))
        or exists (
          select 1 from statement_lines line
          where line.space_id = open.space_id and line.environment = open.environment
            and line.account_id = open.account_id and line.seq = open.seq)`,
  },
  {
    name: 'every manually closed item exists, is not matched and has an audit entry with the reason',
    about: closings,
    differences: (rows) => sql`
      select closing.id::text, closing.provider_id, closing.environment, closing.line_id, closing.space_id,
        closing.account_id, closing.seq::text
      from ${rows} closing
      where (closing.line_id is not null and not exists (
          select 1 from statement_lines line
          where line.provider_id = closing.provider_id and line.environment = closing.environment
            and line.id = closing.line_id and line.space_id is null))
        or (closing.seq is not null and not ${isArchivedLine(sql`closing`)} and not exists (
          select 1 from open_clearing_lines open
          join ledger_lines line on line.space_id = open.space_id and line.environment = open.environment
            and line.account_id = open.account_id and line.seq = open.seq
          join audit_entries entry on entry.space_id = line.space_id and entry.environment = line.environment
            and entry.object_type = 'financial_transaction' and entry.object_id = line.id
          where open.space_id = closing.space_id and open.environment = closing.environment
            and open.account_id = closing.account_id and open.seq = closing.seq
            and open.provider_id = closing.provider_id and entry.action = 'reconciliation.close_item'
            and entry.actor = closing.closed_by and entry.reason = closing.reason))`,
  },
  {
    name: 'every closed day has the totals of its statement lines and ledger lines',
    about: closedDays,
    differences: (rows) => sql`
      select day.id::text, day.provider_id, day.environment, day.day::text, day.currency, stated.sums as stated,
        booked.sums as booked
      from ${rows} day
      cross join lateral (
        select array[count(*), ${sumOf('collection')}, ${sumOf('disbursement')}] as sums
        from ${statedIn(sql`day`)} line where line.currency = day.currency
      ) stated
      cross join lateral (
        select array[count(*), ${sumOf('collection')}, ${sumOf('disbursement')}] as sums
        from ${bookedIn(sql`day`)} line where line.currency = day.currency
      ) booked
      where day.reopened_at is null and day.from_at >= (select id_moment(archived_until())) and (stated.sums, booked.sums) is distinct from (
        array[day.stated_lines, day.stated_in, day.stated_out],
        array[day.booked_lines, day.booked_in, day.booked_out])`,
  },
]
