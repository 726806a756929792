import { bigint, json, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { lockEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { whereReference } from '../accounts/reference.ts'
import { accountIds } from '../accounts/resources.ts'
import type { TransferFailure, TransferStatus } from './states.ts'

/** A transfer of money between two accounts of one merchant. `executeAt` is null for immediate transfers. */
const transfers = table('internal_transfers', ['id'], {
  id: uuid,
  status: textOf<TransferStatus>(),
  amount: bigint,
  currency: text,
  sourceAccountId: uuid,
  destinationAccountId: uuid,
  description: orNull(text),
  executeAt: orNull(time),
  ledgerReference: orNull(text),
  failureCode: orNull(textOf<TransferFailure>()),
  metadata: json<Metadata>(),
  createdAt: time,
  updatedAt: time,
})
export type Transfer = RowOf<typeof transfers>

/** Returns a statement that inserts transfers. It can be run alone or as part of a larger statement. */
export const insertTransfers = (made: Scoped<Transfer>[]): Sql => sql`${transfers.insert(made)} returning 1`

export const selectTransfer = (db: Reader, scope: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`${transfers.of(scope)} and id = ${id} ${lock}`)

export const shareTransfers = (db: Database) => shareReads(db, transfers.requested)

export const lockTransfers = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, transfers.requested)

const update = transfers.update(
  'status',
  'description',
  'ledgerReference',
  'failureCode',
  'metadata',
  'updatedAt',
)

/** Writes the columns of transfers that can change after creation. */
export const updateTransfers = (tx: Tx, changed: Scoped<Transfer>[]) => tx.run(update(changed))

export type TransferFilter = FilterOf<
  Transfer,
  'status' | 'sourceAccountId' | 'destinationAccountId' | 'ledgerReference'
>

export function selectTransfers(db: Database, scope: Scope, filter: TransferFilter, page: Page) {
  const { q, status, sourceAccountId, destinationAccountId, ledgerReference } = filter
  return selectFiltered(db, transfers, scope, page, [
    nameFilter(q, (text) => searchConditions(scope, text)),
    {
      ...equals(sql`ledger_reference`, sql`text`, ledgerReference, { leadsTo: 'few' }),
      ...(ledgerReference !== undefined && { lead: () => ofPosting(scope, ledgerReference) }),
    },
    equals(sql`source_account_id`, sql`uuid`, sourceAccountId, { leadsTo: 'many' }),
    equals(sql`destination_account_id`, sql`uuid`, destinationAccountId, { leadsTo: 'many' }),
    // Completed transfers, which are the vast majority, are not indexed by status.
    equals(
      sql`status`,
      sql`text`,
      status,
      status === 'completed' ? {} : { leadsTo: 'many', among: sql`status <> 'completed'` },
    ),
  ])
}

/**
 * Returns conditions that match `q` as the id of a transfer, as the id of one of its accounts, or as the
 * reference of its posting.
 */
function searchConditions(scope: Scope, q: string): Names {
  const object = readObjectId(q)
  if (!object) return { few: [ofPosting(scope, q)] }
  return object.ids === accountIds
    ? { many: [sql`source_account_id = ${object.id}`, sql`destination_account_id = ${object.id}`] }
    : { few: [sql`id = ${object.id}`] }
}

/**
 * Returns a condition that finds the transfer of a posting through its ledger lines, which are indexed by
 * reference.
 */
const ofPosting = ({ spaceId, environment }: Scope, reference: string): Sql => sql`
  ledger_reference = ${reference} and id in (
    select (owners #>> '{0,id}')::uuid from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} ${whereReference(reference)}
      and owners #>> '{0,type}' = 'internal_transfer')`
