import { uuids } from '../../platform/db/arrays.ts'
import { bigint, json, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { countRows } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
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
import { keySet } from '../../tenants/retention/records.ts'
import { payoutIds } from '../payouts/resources.ts'

export const recallStatuses = ['open', 'returned', 'refused', 'cancelled'] as const
export type RecallStatus = (typeof recallStatuses)[number]

export const recallReasons = ['wrong_payee', 'wrong_amount', 'duplicate', 'fraudulent', 'other'] as const
export type RecallReason = (typeof recallReasons)[number]

/** A recall, with its amounts in minor units. */
const recalls = table('recalls', ['id'], {
  id: uuid,
  status: textOf<RecallStatus>(),
  payoutId: uuid,
  /** The recalled amount, and the part of it that has been returned. */
  amount: bigint,
  returned: bigint,
  currency: text,
  /**
   * Copied from the payout: the provider that it was sent through, and the account to which the money is
   * returned.
   */
  providerId: text,
  financialAccountId: uuid,
  reason: textOf<RecallReason>(),
  note: orNull(text),
  /** ID of the provider's transaction that returned the money. */
  railTransaction: orNull(text),
  ledgerReference: orNull(text),
  /** The user's id. */
  createdBy: uuid,
  metadata: json<Metadata>(),
  payoutMetadata: json<Metadata>(),
  createdAt: time,
  updatedAt: time,
})
export type Recall = RowOf<typeof recalls>

export const insertRecall = (tx: Tx, recall: Scoped<Recall>) => tx.run(recalls.insert([recall]))

const update = recalls.update('status', 'returned', 'railTransaction', 'ledgerReference', 'updatedAt')
export const updateRecall = (tx: Tx, recall: Scoped<Recall>) => tx.run(update([recall]))

export const shareRecalls = (db: Database) => shareReads(db, recalls.requested)

/** Locks a recall. Its payout must be locked first. */
export const lockRecall = (tx: Tx, scope: Scope, id: string) =>
  tx.only<Recall>(sql`${recalls.of(scope)} and id = ${id} for update`)

export const selectPayoutOf = async (db: Reader, { spaceId, environment }: Scope, id: string) =>
  (
    await db.one<{ payoutId: string }>(sql`
    select payout_id from recalls where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)
  )?.payoutId

/** Locks and returns the open recalls of a locked payout. */
export const lockOpenOf = (tx: Tx, scope: Scope, payoutId: string) =>
  tx.query<Recall>(sql`
    ${recalls.of(scope)} and payout_id = ${payoutId} and status = 'open'
    order by id for update`)

// every space: operators identify a recall only by its id
export const selectScope = (db: Reader, id: string) =>
  db.one<Scope>(sql`select space_id, environment from recalls where id = ${id}`)

export const selectRecalls = (
  db: Database,
  scope: Scope,
  { q, payoutId, status }: FilterOf<Recall, 'payoutId' | 'status'>,
  page: Page,
) =>
  selectFiltered(db, recalls, scope, page, [
    nameFilter(q, namesOf),
    equals(sql`payout_id`, sql`uuid`, payoutId, { leadsTo: 'many' }),
    equals(sql`status`, sql`text`, status, { leadsTo: 'many' }),
  ])

/**
 * Returns conditions that match `q` as the id of a recall or a payout, as the reference of a posting, or as the
 * id of a provider transaction.
 */
function namesOf(q: string): Names {
  const object = readObjectId(q)
  if (!object) return { few: [sql`ledger_reference = ${q}`, sql`rail_transaction = ${q}`] }
  return object.ids === payoutIds
    ? { many: [sql`payout_id = ${object.id}`] }
    : { few: [sql`id = ${object.id}`] }
}

/** A recall with the details that the provider's staff need to find the payout. */
export type ListedRecall = Scope & Recall & { payeeAccount: string; payoutTransaction: string | null }

// every space: the operator's list covers all Spaces
export const selectForOperator = (db: Reader, isOpenOnly: boolean, take: number) =>
  db.query<ListedRecall>(sql`
    select listed.*, ${encryptedColumn('payouts.payee_account', { of: 'payout' })}, payout.rail_transaction as payout_transaction
    from (
      select ${recalls.names} from recalls
      ${isOpenOnly ? sql`where status = 'open'` : nothing}
      order by created_at, id limit ${take}
    ) listed
    join payouts payout on payout.space_id = listed.space_id and payout.environment = listed.environment
      and payout.id = listed.payout_id
    order by listed.created_at, listed.id`)

/** Counts the open recalls in all Spaces and environments, up to ten thousand. */
export const countOpenRecalls = (db: Reader) =>
  countRows(
    db,
    (environment) => sql`
      -- every space: this is an operator metric
      select from recalls one where status = 'open' and one.environment = ${environment}`,
  )

/** Returns which of the given payouts have an open recall. */
export const selectRecalled = async (db: Reader, { spaceId, environment }: Scope, payouts: string[]) =>
  keySet(
    await db.query<{ key: string }>(sql`
      select distinct payout_id as key from recalls
      where space_id = ${spaceId} and environment = ${environment} and status = 'open'
        and payout_id = any(${uuids(payouts)}::uuid[])`),
  )
