import {
  bigint,
  encrypted,
  encryptedName,
  hashed,
  integer,
  json,
  jsonb,
  orNull,
  text,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { lockEach, selectEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { equals, type FilterOf, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { firstId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { erased } from '../../tenants/retention/person.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { approvalColumnNames, approvalColumns } from '../approvals/approvals.ts'
import type { DestinationType } from '../payouts/store.ts'

export const batchStatuses = ['pending', 'processing', 'completed', 'rejected', 'cancelled'] as const
export type BatchStatus = (typeof batchStatuses)[number]

const batches = table('payout_batches', ['id'], {
  id: uuid,
  status: textOf<BatchStatus>(),
  name: text,
  /** Null for the Space's main account in each currency. */
  financialAccountId: orNull(uuid),
  rowCount: integer,
  /** In minor units, as text. */
  sums: jsonb<{ currency: string; amount: string }[]>(),
  /** The user's id. */
  createdBy: uuid,
  /** Idempotency key of the request that created the batch. Older batches have none. */
  idempotencyKey: orNull(text),
  ...approvalColumns,
  createdAt: time,
  updatedAt: time,
})
export type Batch = RowOf<typeof batches>

const rows = table('payout_batch_rows', ['batchId', 'number'], {
  batchId: uuid,
  number: integer,
  amount: bigint,
  currency: text,
  destinationType: textOf<DestinationType>(),
  providerId: text,
  payeeAccount: encrypted('payout_batch_rows.payee_account'),
  name: orNull(encryptedName('payout_batch_rows.name')),
  reference: orNull(text),
  metadata: json<Metadata>(),
})
export type BatchRow = RowOf<typeof rows>

export async function insertBatch(tx: Tx, batch: Scoped<Batch>, ofBatch: Scoped<BatchRow>[]): Promise<void> {
  await tx.run(batches.insert([batch]))
  await tx.run(rows.insert(ofBatch))
}

const update = batches.update('status', ...approvalColumnNames, 'updatedAt')
export const updateBatch = (tx: Tx, batch: Scoped<Batch>) => tx.run(update([batch]))

export const lockBatch = (tx: Tx, scope: Scope, id: string) =>
  tx.one(sql`${batches.of(scope)} and id = ${id} for update`)

export const selectRows = (db: Reader, scope: Scope, id: string) =>
  db.query(sql`${rows.of(scope)} and batch_id = ${id} order by number`)

/** Number and total amount of the payouts of a batch that have the same currency and status. */
export type PayoutTotal = { batchId: string; currency: string; status: string; count: bigint; amount: bigint }

/**
 * Returns the totals of the payouts of several batches. They are counted along a covering index, with up to a
 * thousand entries per batch. If they were stored instead, the payouts of a batch would have to wait for each
 * other to update the same row.
 */
export const selectPayoutTotals = (db: Reader, { spaceId, environment }: Scope, ids: string[]) =>
  db.query<PayoutTotal>(sql`
    select requested.id as batch_id, tally.*
    from unnest(${ids}::uuid[]) requested (id)
    cross join lateral (
      select currency, status, count(*) as count, sum(amount)::bigint as amount from payouts
      where space_id = ${spaceId} and environment = ${environment} and batch_id = requested.id
      group by currency, status offset 0
    ) tally`)

export const shareBatches = (db: Database) => shareReads(db, batches.requested)

export const hasBatch = async (db: Reader, scope: Scope, id: string) =>
  (await db.one(sql`${batches.of(scope)} and id = ${id}`)) !== undefined

export const selectBatches = (
  db: Database,
  scope: Scope,
  { status }: FilterOf<Batch, 'status'>,
  page: Page,
) => selectFiltered(db, batches, scope, page, [equals(sql`status`, sql`text`, status, { leadsTo: 'many' })])

/** A row, and its payout if the batch has been approved. */
export type ListedRow = BatchRow & { payoutId: string | null; payoutStatus: string | null }

/** Returns a page of a batch's rows, in the order of the file. */
export const selectRowPage = (db: Reader, { spaceId, environment }: Scope, id: string, page: Page) =>
  db.query<ListedRow>(sql`
    select listed.*, payout.id as payout_id, payout.status as payout_status
    from (
      select ${rows.columns} from payout_batch_rows
      where space_id = ${spaceId} and environment = ${environment} and batch_id = ${id}
        and number > ${Number(page.after ?? 0)}
      order by number limit ${page.take}
    ) listed
    left join lateral (
      select id, status from payouts
      where space_id = ${spaceId} and environment = ${environment} and batch_id = ${id}
        and batch_row = listed.number offset 0
    ) payout on true
    order by listed.number`)

const maxLookedThrough = 1_000 // maximum number of payouts to a payee that the check of a batch reads

type PayeeHistory = { isRecent: boolean; isKnown: boolean }

/**
 * Returns, by row number, whether the same amount was paid to the row's payee since a time, and whether any payout
 * to that payee has ever completed. Uses the index of payees.
 */
export async function selectHistories(
  db: Reader,
  payees: Omit<Parameters<typeof byPayee>[0][number], 'hash'>[],
  since: Date,
): Promise<Map<number, PayeeHistory>> {
  const histories = await selectEach<PayeeHistory & { number: number }>(
    db,
    byPayee(payees.map((payee) => ({ ...payee, hash: payee.account }))),
    sql`
      select requested.number,
        coalesce(bool_or(id >= ${firstId(since)} and status <> 'failed' and (amount, currency) =
          (requested.amount, requested.currency)), false) as is_recent,
        coalesce(bool_or(status = 'completed'), false) as is_known
      from (
        ${newestTo(sql`requested.hash`)} union all ${newestTo(sql`requested.account`)}
        order by id desc limit ${maxLookedThrough}
      ) newest
      where provider_id = requested.provider_id`,
  )
  return new Map(histories.map((history) => [history.number, history]))
}

/** The account is a keyed hash or, in rows that are not yet encrypted, as it is. */
const newestTo = (account: Sql) => sql`
  (select id, status, amount, currency, provider_id from payouts
  where space_id = requested.space_id and environment = requested.environment and payee_account = ${account}
  order by id desc limit ${maxLookedThrough})`

const byPayee = unnestScoped({
  number: integer,
  amount: bigint,
  currency: text,
  account: text,
  hash: hashed,
  providerId: text,
})

/** A row with the status and the time of its batch. */
export type DatedRow = BatchRow & Pick<Batch, 'status' | 'createdAt'>

/** Returns the rows that match a condition on `row`, which may end with an order and a limit. */
export const selectDatedRows = (db: Reader, { spaceId, environment }: Scope, condition: Sql) =>
  db.query<DatedRow>(sql`
    select ${rows.columnsOf('row')}, batch.status, batch.created_at
    from payout_batch_rows row
    join payout_batches batch on batch.space_id = row.space_id and batch.environment = row.environment
      and batch.id = row.batch_id
    where row.space_id = ${spaceId} and row.environment = ${environment} ${condition}`)

/** Erases the payees from rows of batches that have ended, and marks the batches as changed. */
export async function eraseRows(
  tx: Tx,
  scope: Scope,
  places: { batchId: string; number: number }[],
): Promise<void> {
  const { spaceId, environment } = scope
  const ids = [...new Set(places.map(({ batchId }) => batchId))]
  const ofBatches = ids.map((id) => ({ scope, id }))
  await lockEach(tx, ofBatches, batches.requested)
  await markChanging(tx, 'payout_batch', batches.table, ofBatches)
  await tx.run(sql`
    update payout_batch_rows row set payee_account = ${erased}, payee_account_encrypted = null,
      payee_account_last = null, name = null, name_encrypted = null, name_words = null
    from ${placeRows(places.map((place) => ({ ...place, scope })))}
    where row.space_id = ${spaceId} and row.environment = ${environment} and row.batch_id = requested.batch_id
      and row.number = requested.number`)
}

const placeRows = unnestScoped({ batchId: uuid, number: integer })
