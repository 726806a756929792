import { uuids } from '../../platform/db/arrays.ts'
import { bigint, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { byId, countRows, selectEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { keySet } from '../../tenants/retention/records.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import type { Direction } from './store.ts'

export const caseKinds = ['success_after_failure', 'failure_after_success'] as const
export type CaseKind = (typeof caseKinds)[number]

const cases = table('ledger_cases', ['id'], {
  id: uuid,
  kind: textOf<CaseKind>(),
  objectType: text,
  objectId: uuid,
  /** The direction in which the money was meant to be moved. */
  direction: textOf<Direction>(),
  amount: bigint,
  /** The part of the amount that a recall has already returned to the merchant. Closing the case moves the rest. */
  returned: bigint,
  currency: text,
  reference: text,
  openedAt: time,
  closedAt: orNull(time),
  /** The reference of the posting that moved the money out of suspense; null in some old closed cases. */
  closingReference: orNull(text),
  /**
   * The text from which the refund's reference is derived, if it is not derived from the payment. This is no
   * longer set for new cases.
   */
  refundPurpose: orNull(text),
})
const newCases = cases.without('returned', 'closedAt', 'closingReference', 'refundPurpose')

export type LedgerCase = Scope & RowOf<typeof cases>

/**
 * Inserts cases in the order of their objects. An object can have only one case of each kind. Returns the ids
 * of the cases that were inserted.
 */
export async function insertCases(tx: Tx, rows: Scoped<RowOf<typeof newCases>>[]): Promise<Set<string>> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${newCases.insert(rows)}
    order by space_id, environment, object_type, object_id, kind, id
    on conflict do nothing
    returning id`)
  return new Set(inserted.map(({ id }) => id))
}

// every space: operators identify a case by its id alone
export const selectCase = (db: Reader, id: string) =>
  db.one<LedgerCase>(sql`select ${cases.names} from ledger_cases where id = ${id}`)

export const shareCases = (db: Database) => shareReads(db, cases.requested)

export type CaseFilter = { status?: 'open' | 'closed' }

/** Lists the cases of one Space, newest first. */
export const selectCasesOf = (
  db: Reader,
  { spaceId, environment }: Scope,
  { status }: CaseFilter,
  page: Page,
) =>
  db.query(sql`
    select ${cases.columns} from ledger_cases
    where space_id = ${spaceId} and environment = ${environment}
      ${status === undefined ? nothing : status === 'open' ? sql`and closed_at is null` : sql`and closed_at is not null`}
      ${inPage(page)}
    order by id desc limit ${page.take}`)

/** Sets the returned amount in the open case of an object that was reported as completed. */
export const updateReturned = (
  tx: Tx,
  { spaceId, environment }: Scope,
  { id, type }: Pick<OwnerRef, 'id' | 'type'>,
  returned: bigint,
) =>
  tx.run(sql`
    update ledger_cases set returned = ${returned}
    where space_id = ${spaceId} and environment = ${environment} and object_type = ${type} and object_id = ${id}
      and kind = 'failure_after_success' and closed_at is null`)

/**
 * Returns the objects of a type that were reported as completed, but for which the rail later reported the
 * opposite.
 */
export const selectContradicted = (db: Reader, type: OwnerRef['type'], ids: Scoped<{ id: string }>[]) =>
  selectEach<{ id: string }>(
    db,
    byId(ids),
    sql`
      select object_id as id from ledger_cases
      where space_id = requested.space_id and environment = requested.environment and object_type = ${type}
        and object_id = requested.id and kind = 'failure_after_success'`,
  )

// every space: operators identify a case by its id alone
export const lockCase = (tx: Tx, id: string) =>
  tx.one<LedgerCase>(sql`select ${cases.names} from ledger_cases where id = ${id} for update`)

export const updateClosed = (tx: Tx, { spaceId, environment }: Scope, closed: LedgerCase) =>
  tx.run(sql`
    update ledger_cases
    set closed_at = ${closed.closedAt}, closing_reference = ${closed.closingReference}, returned = ${closed.returned}
    where space_id = ${spaceId} and environment = ${environment} and id = ${closed.id}`)

// every space: the operator's list covers all Spaces
export const selectCases = (db: Reader, isOpenOnly: boolean, take: number) =>
  db.query<LedgerCase>(sql`
    select ${cases.names} from ledger_cases
    ${isOpenOnly ? sql`where closed_at is null` : nothing}
    order by opened_at, id limit ${take}`)

/** Counts the open cases of all Spaces in each environment, up to ten thousand. */
export const countOpenCases = (db: Reader) =>
  countRows(
    db,
    (environment) => sql`
      -- every space: this is an operator metric
      select from ledger_cases one where closed_at is null and one.environment = ${environment}`,
  )

/** Returns which of the given objects of a type have an open case. */
export const selectDisputed = async (
  db: Reader,
  { spaceId, environment }: Scope,
  type: string,
  objectIds: string[],
) =>
  keySet(
    await db.query<{ key: string }>(sql`
      select distinct object_id as key from ledger_cases
      where space_id = ${spaceId} and environment = ${environment} and object_type = ${type}
        and object_id = any(${uuids(objectIds)}::uuid[]) and closed_at is null`),
  )
