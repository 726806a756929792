import { ofReference } from '../ledger/reference.ts'
import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import { walkBounded } from '../platform/db/bounded-walk.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach, type Scoped, scopes } from '../platform/db/scoped.ts'
import { allOf, nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Listed, Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'

/** Money between two accounts of the merchant's own. `executeAt`: when it waits for that. */
export type Transfer = {
  id: string
  status: TransferStatus
  amount: bigint
  currency: string
  sourceAccountId: string
  destinationAccountId: string
  description: string | null
  executeAt: Date | null
  ledgerReference: string | null
  failureCode: TransferFailure | null
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}
export type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed'
export const transferFailures = ['fund_insufficient', 'cancelled', 'unknown'] as const
export type TransferFailure = (typeof transferFailures)[number]

/** A statement, or part of a larger one. */
export const insertTransfers = (transfers: Scoped<Transfer>[]): Sql => sql`
  insert into internal_transfers (space_id, environment, id, status, amount, currency, source_account_id,
    destination_account_id, description, execute_at, ledger_reference, failure_code, metadata, created_at, updated_at)
  select space_id, environment, id, status, amount, currency, source_account_id, destination_account_id, description,
    execute_at, ledger_reference, failure_code, metadata::json, created_at, created_at
  from unnest(${scopes(transfers)}, ${uuids(transfers.map((t) => t.id))}::uuid[],
    ${texts(transfers.map((t) => t.status))}::text[],
    ${bigints(transfers.map((t) => t.amount))}::bigint[], ${texts(transfers.map((t) => t.currency))}::text[],
    ${uuids(transfers.map((t) => t.sourceAccountId))}::uuid[],
    ${uuids(transfers.map((t) => t.destinationAccountId))}::uuid[],
    ${texts(transfers.map((t) => t.description))}::text[], ${times(transfers.map((t) => t.executeAt))}::timestamptz[],
    ${texts(transfers.map((t) => t.ledgerReference))}::text[],
    ${texts(transfers.map((t) => t.failureCode))}::text[],
    ${texts(transfers.map((t) => JSON.stringify(t.metadata)))}::text[],
    ${times(transfers.map((t) => t.createdAt))}::timestamptz[])
    as transfer (space_id, environment, id, status, amount, currency, source_account_id, destination_account_id,
      description, execute_at, ledger_reference, failure_code, metadata, created_at)
  returning 1`

const transferColumns = sql`id, status, amount, currency, source_account_id, destination_account_id, description,
  execute_at, ledger_reference, failure_code, metadata, created_at, updated_at`

export const selectTransfer = (
  db: Reader,
  { spaceId, environment }: Scope,
  id: string,
  lock: Sql = nothing,
) =>
  db.one<Transfer>(sql`
    select ${transferColumns} from internal_transfers
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

export const shareTransfers = (db: Database) =>
  shareReads<Transfer>(
    db,
    sql`
      select ${transferColumns} from internal_transfers
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

export const lockTransfers = (tx: Tx, wanted: Scoped<{ id: string }>[]) =>
  lockEach<Transfer>(tx, { from: sql`internal_transfers`, columns: transferColumns }, wanted)

/** What changes after a transfer was made. */
export const updateTransfers = (tx: Tx, transfers: Scoped<Transfer>[]) =>
  tx.run(sql`
    update internal_transfers transfer set status = changed.status, description = changed.description,
      ledger_reference = changed.ledger_reference, failure_code = changed.failure_code,
      metadata = changed.metadata::json, updated_at = changed.updated_at
    from unnest(${scopes(transfers)}, ${uuids(transfers.map((t) => t.id))}::uuid[],
      ${texts(transfers.map((t) => t.status))}::text[], ${texts(transfers.map((t) => t.description))}::text[],
      ${texts(transfers.map((t) => t.ledgerReference))}::text[],
      ${texts(transfers.map((t) => t.failureCode))}::text[],
      ${texts(transfers.map((t) => JSON.stringify(t.metadata)))}::text[],
      ${times(transfers.map((t) => t.updatedAt))}::timestamptz[])
      as changed (space_id, environment, id, status, description, ledger_reference, failure_code, metadata, updated_at)
    where transfer.space_id = changed.space_id and transfer.environment = changed.environment
      and transfer.id = changed.id`)

export type TransferFilter = {
  status?: TransferStatus
  sourceAccountId?: string
  destinationAccountId?: string
  reference?: string
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
    select ${transferColumns} from internal_transfers
    where space_id = ${spaceId} and environment = ${environment}
      ${reference === undefined ? nothing : ofPosting}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}`
  const conditions = [
    ...(sourceAccountId === undefined ? [] : [sql`source_account_id = ${sourceAccountId}`]),
    ...(destinationAccountId === undefined ? [] : [sql`destination_account_id = ${destinationAccountId}`]),
    ...(status === undefined ? [] : [ofStatus(status)]),
  ]
  // Each alone has an index, but `completed`, which most are. Of several the first leads, and the others are held
  // against what it finds. A reference leads to one.
  const led = conditions.length > 1 ? conditions.slice(0, 1) : []
  if (reference !== undefined || (led.length === 0 && status !== 'completed'))
    return db.query<Transfer>(sql`${all} and ${allOf(conditions)} order by id desc limit ${page.take}`)
  return walkBounded(db, {
    ordered: sql`${all} and ${allOf(led)}`,
    column: sql`id`,
    fit: allOf(conditions.slice(led.length)),
    take: page.take,
  })
}

/** In the words of the partial index of those that are not completed. */
const ofStatus = (status: TransferStatus): Sql =>
  status === 'completed' ? sql`status = 'completed'` : sql`status = ${status} and status <> 'completed'`
