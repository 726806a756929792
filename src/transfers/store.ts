import { ofReference } from '../ledger/reference.ts'
import { walkBounded } from '../platform/db/bounded-walk.ts'
import { bigint, json, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach } from '../platform/db/lookups.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { allOf, nothing, type Sql, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import type { Listed, Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'

export type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed'
export const transferFailures = ['fund_insufficient', 'cancelled', 'unknown'] as const
export type TransferFailure = (typeof transferFailures)[number]

/** Money between two accounts of the merchant's own. `executeAt`: of a planned one. */
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

/** A statement, or part of a larger one. */
export const insertTransfers = (made: Scoped<Transfer>[]): Sql => sql`${transfers.insert(made)} returning 1`

export const selectTransfer = (
  db: Reader,
  { spaceId, environment }: Scope,
  id: string,
  lock: Sql = nothing,
) =>
  db.one(sql`
    select ${transfers.columns} from internal_transfers
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

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

/** Writes what changes after a transfer was made. */
export const updateTransfers = (tx: Tx, changed: Scoped<Transfer>[]) => tx.run(update(changed))

export type TransferFilter = {
  status?: TransferStatus | undefined
  sourceAccountId?: string | undefined
  destinationAccountId?: string | undefined
  reference?: string | undefined
}

export async function selectTransfers(
  db: Database,
  { spaceId, environment }: Scope,
  { status, sourceAccountId, destinationAccountId, reference }: TransferFilter,
  page: Page,
): Promise<Listed<Transfer>> {
  // A posting leads to its transfer by its lines, which their reference finds.
  const ofPosting = sql`and ledger_reference = ${reference} and id in (
    select (owners #>> '{0,id}')::uuid from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} ${ofReference(reference ?? '')}
      and owners #>> '{0,type}' = 'internal_transfer')`
  const all = sql`
    select ${transfers.columns} from internal_transfers
    where space_id = ${spaceId} and environment = ${environment}
      ${reference === undefined ? nothing : ofPosting}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}`
  const conditions = [
    ...(sourceAccountId === undefined ? [] : [sql`source_account_id = ${sourceAccountId}`]),
    ...(destinationAccountId === undefined ? [] : [sql`destination_account_id = ${destinationAccountId}`]),
    ...(status === undefined ? [] : [ofStatus(status)]),
  ]
  // Each alone has an index, except `completed`, which most are. Of several the first leads, and the others filter. A
  // reference leads to one.
  const led = conditions.length > 1 ? conditions.slice(0, 1) : []
  if (reference !== undefined || (led.length === 0 && status !== 'completed'))
    return db.query(sql`${all} and ${allOf(conditions)} order by id desc limit ${page.take}`)
  return walkBounded(db, {
    ordered: sql`${all} and ${allOf(led)}`,
    column: sql`id`,
    fit: allOf(conditions.slice(led.length)),
    take: page.take,
  })
}

/** As the partial index of those that are not completed says it. */
const ofStatus = (status: TransferStatus): Sql =>
  status === 'completed' ? sql`status = 'completed'` : sql`status = ${status} and status <> 'completed'`
