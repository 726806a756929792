import { bigint, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { byId, selectEach } from '../platform/db/lookups.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import { inPage } from '../platform/http/filters.ts'
import type { Page } from '../platform/http/route.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import type { Direction } from './store.ts'

export const caseKinds = ['success_after_failure', 'failure_after_success'] as const
export type CaseKind = (typeof caseKinds)[number]

const cases = table('ledger_cases', ['id'], {
  id: uuid,
  kind: textOf<CaseKind>(),
  objectType: text,
  objectId: uuid,
  /** Whether its money was to come in or to go out. */
  direction: textOf<Direction>(),
  amount: bigint,
  /** What of it the merchant got back by another way, a recall: closing the case moves the rest. */
  returned: bigint,
  currency: text,
  reference: text,
  openedAt: time,
  closedAt: orNull(time),
  /** Of the posting that took the money out of suspense; cases that were closed long ago may have none. */
  closingReference: orNull(text),
  /** Overrides what the rail reference of a late refund is derived from. Nothing sets it any more. */
  refundPurpose: orNull(text),
})
const newCases = cases.without('returned', 'closedAt', 'closingReference', 'refundPurpose')

export type LedgerCase = Scope & RowOf<typeof cases>

/** Returns the ids of those that were inserted: an object has one case of a kind. In the order of the objects. */
export async function insertCases(tx: Tx, rows: Scoped<RowOf<typeof newCases>>[]): Promise<Set<string>> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${newCases.insert(rows)}
    order by space_id, environment, object_type, object_id, kind, id
    on conflict do nothing
    returning id`)
  return new Set(inserted.map(({ id }) => id))
}

// every space: the operator names a case by its id alone
export const selectCase = (db: Reader, id: string) =>
  db.one<LedgerCase>(sql`select ${cases.names} from ledger_cases where id = ${id}`)

export const shareCases = (db: Database) => shareReads(db, cases.requested)

export type CaseFilter = { status?: 'open' | 'closed' }

/** Of one Space, newest first. */
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

/** Says of the open case of an object that was reported as moved how much of it came back. */
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

/** Those of some objects of a type that were reported as moved, and of which a rail said later that they never did. */
export const selectContradicted = (db: Reader, type: OwnerRef['type'], ids: Scoped<{ id: string }>[]) =>
  selectEach<{ id: string }>(
    db,
    byId(ids),
    sql`
      select object_id as id from ledger_cases
      where space_id = requested.space_id and environment = requested.environment and object_type = ${type}
        and object_id = requested.id and kind = 'failure_after_success'`,
  )

// every space: the operator names a case by its id alone
export const lockCase = (tx: Tx, id: string) =>
  tx.one<LedgerCase>(sql`select ${cases.names} from ledger_cases where id = ${id} for update`)

export const updateClosed = (tx: Tx, { spaceId, environment }: Scope, closed: LedgerCase) =>
  tx.run(sql`
    update ledger_cases
    set closed_at = ${closed.closedAt}, closing_reference = ${closed.closingReference}, returned = ${closed.returned}
    where space_id = ${spaceId} and environment = ${environment} and id = ${closed.id}`)

// every space: the operator's own list goes over all of them
export const selectCases = (db: Reader, isOpenOnly: boolean, take: number) =>
  db.query<LedgerCase>(sql`
    select ${cases.names} from ledger_cases
    ${isOpenOnly ? sql`where closed_at is null` : nothing}
    order by opened_at, id limit ${take}`)

const maxCounted = 10_000 // limit: open cases that metrics count

/** How many cases wait for a person, of every Space and environment. */
export async function countOpenCases(db: Reader): Promise<number> {
  // every space: what an operator watches
  const { count } = await db.only<{ count: bigint }>(sql`
    select count(*) from (select from ledger_cases where closed_at is null limit ${maxCounted}) open`)
  return Number(count)
}
