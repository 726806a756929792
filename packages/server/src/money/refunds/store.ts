import type { OriginalCollection, PaidCard, ProviderType } from '@pesewa/connector-kit'
import { uuids } from '../../platform/db/arrays.ts'
import {
  bigint,
  boolean,
  encrypted,
  json,
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
import { equals, type Names, nameFilter, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { eraseAccounts } from '../../rails/instructions/erasing-store.ts'
import { countIn } from '../../rails/instructions/transaction-counts.ts'
import {
  type PhoneColumns,
  phoneIn,
  type ScopedPhone,
  transactionFilters,
  transactionSearch,
} from '../../rails/instructions/transaction-filters.ts'
import { outcomeColumns, transactionColumns } from '../../rails/instructions/transaction-rows.ts'
import type { TransactionFilter } from '../../rails/instructions/transaction-shapes.ts'
import { erased } from '../../tenants/retention/person.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { approvalColumnNames, approvalColumns } from '../approvals/approvals.ts'
import { paymentIds } from '../payments/resources.ts'
import type { PendingReason, RefundStatus } from './states.ts'

export const refundReasons = [
  'requested_by_customer',
  'duplicate',
  'fraudulent',
  'wrong_amount',
  'order_cancelled',
  'late_payment',
  'paid_twice',
  'other',
] as const
export type RefundReason = (typeof refundReasons)[number]

/**
 * Returns whether the service itself created the refund, because the order had already been paid with another
 * payment. There is at most one such refund for each payment. It needs no approval, costs no fee, waits for a
 * sufficient balance without a time limit, and cannot be cancelled.
 */
export const isAutomatic = ({ reason }: { reason: RefundReason }) => reason === 'paid_twice'
export const bearers = ['merchant', 'payer'] as const
export type Bearer = (typeof bearers)[number]
export const refundMethods = ['provider_refund', 'payout'] as const
export type RefundMethod = (typeof refundMethods)[number]

const { status: _, ...moved } = transactionColumns

/** A refund, with its amounts in minor units. */
const refunds = table('refunds', ['id'], {
  ...moved,
  status: textOf<RefundStatus>(),
  pendingReason: orNull(textOf<PendingReason>()),
  paymentId: uuid,
  orderNumber: text,
  /** Amount that reaches the payer, which is the refunded amount less any fee that the payer bears. */
  net: bigint,
  /**
   * Amount that counts against the refundable amount of the payment. It is zero once the refund has failed or
   * been cancelled.
   */
  reserved: bigint,
  bearer: textOf<Bearer>(),
  /** The part of the payment's fee that has been returned to the merchant. */
  returnedFee: bigint,
  method: textOf<RefundMethod>(),
  destinationType: textOf<ProviderType>(),
  /** Null for a card. */
  payerAccount: orNull(encrypted('refunds.payer_account')),
  cardScheme: orNull(textOf<PaidCard['scheme']>()),
  cardLast4: orNull(text),
  original: json<OriginalCollection>(),
  reason: textOf<RefundReason>(),
  note: orNull(text),
  payerMessage: orNull(text),
  /** Null while the refund is waiting for a sufficient balance. */
  holdId: orNull(uuid),
  /** The user's id; null if the operator created the refund. */
  createdBy: orNull(uuid),
  ...approvalColumns,
  /**
   * True if the refund needed no approval, although a larger amount would have. Its amount then counts, for a
   * day, towards the total above which approval is needed.
   */
  countsUnapproved: boolean,
  /** The session or code of the payment. */
  origin: json<OwnerRef>(),
  paymentMetadata: json<Metadata>(),
  completedAt: orNull(time),
})
export type Refund = RowOf<typeof refunds>

const upsert = refunds.upsert(
  ...outcomeColumns,
  ...approvalColumnNames,
  'pendingReason',
  'reserved',
  'returnedFee',
  'holdId',
  'completedAt',
)

/** Writes new refunds and changed ones, which must be locked. */
export const writeRefunds = (tx: Tx, written: Scoped<Refund>[]) => tx.send(upsert(written))

export const shareRefunds = (db: Database) => shareReads(db, refunds.requested)

export const lockRefunds = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, refunds.requested)

export type RefundFilter = TransactionFilter & { paymentId?: string | undefined }

const payer: PhoneColumns = { account: sql`payer_account`, isPhone: sql`destination_type = 'momo'` }

export async function selectRefunds(db: Database, scope: Scope, filter: RefundFilter, page: Page) {
  const { q, paymentId } = filter
  const phone = await phoneIn(db, scope, q)
  const ofPayment = equals(sql`payment_id`, sql`uuid`, paymentId, { leadsTo: 'many' })
  return selectFiltered(db, refunds, scope, page, [
    nameFilter(q, (text) => searchConditions(text, phone)),
    ofPayment,
    ...transactionFilters(scope, filter, payer),
  ])
}

export const countRefunds = countIn(refunds)

/**
 * Returns conditions that match `q` as an external reference, as an order number, or as the id of a refund or a
 * payment.
 */
function searchConditions(q: string, phone: ScopedPhone | undefined): Names {
  const { few, many } = transactionSearch(q, phone, payer)
  const object = readObjectId(q)
  const byOrder = sql`order_number = ${q}`
  if (!object) return { few, many: [byOrder, ...many] }
  return object.ids === paymentIds
    ? { few, many: [sql`payment_id = ${object.id}`, ...many] }
    : { few: [sql`id = ${object.id}`, ...few], many }
}

/** Returns a payment's completed refunds, oldest first. */
export const selectCompleted = (db: Reader, scope: Scope, paymentId: string) =>
  db.query(sql`
    ${refunds.of(scope)} and payment_id = ${paymentId} and status = 'completed'
    order by id`)

/** Returns the automatic refunds of payments. */
export const selectAutomatic = (db: Reader, payments: Scoped<{ paymentId: string }>[]) =>
  selectEach(
    db,
    byPayment(payments),
    sql`
      select ${refunds.columns} from refunds
      where space_id = requested.space_id and environment = requested.environment
        and payment_id = requested.payment_id and reason = 'paid_twice'`,
  )

/** Returns whether a payment has a refund without an outcome. */
export const hasOpenRefund = async (
  db: Reader,
  { spaceId, environment }: Scope,
  paymentId: string,
): Promise<boolean> =>
  (await db.one(sql`
    select 1 from refunds
    where space_id = ${spaceId} and environment = ${environment} and payment_id = ${paymentId}
      and status in ('pending', 'processing')
    limit 1`)) !== undefined

/** Returns, for each payment, the part of its fee that its completed refunds have returned. */
export const sumReturnedFees = (db: Reader, payments: Scoped<{ paymentId: string }>[]) =>
  selectEach<{ paymentId: string; sum: bigint }>(
    db,
    sql`(select distinct * from ${byPayment(payments)}) requested`,
    sql`
      select requested.payment_id, coalesce(sum(returned_fee), 0)::bigint as sum from refunds
      where space_id = requested.space_id and environment = requested.environment
        and payment_id = requested.payment_id and status = 'completed'`,
  )

const byPayment = unnestScoped({ paymentId: uuid })

/** Marks the queued refunds of a provider that is not available. */
export const markUnavailable = (tx: Tx, environment: Environment, providerId: string) =>
  // every space: an open circuit breaker affects all of them
  tx.run(sql`
    -- every space: an open circuit breaker affects all of them
    update refunds set pending_reason = 'provider_unavailable'
    where (space_id, environment, id) in (
      select space_id, environment, id from refunds
      where environment = ${environment} and provider_id = ${providerId} and status = 'pending' and pending_reason is null
      for update skip locked)`)

/** Returns the accounts with refunds that are waiting for a sufficient balance. */
export const selectShortAccounts = (db: Reader) =>
  // every space: finds refunds that are waiting for a sufficient balance
  db.query<Scope & { accountId: string }>(sql`
    -- every space: finds refunds that are waiting for a sufficient balance
    select distinct space_id, environment, financial_account_id as account_id from refunds
    where pending_reason = 'insufficient_balance'`)

/** Locks and returns an account's oldest refunds that are waiting for a sufficient balance. */
export const lockQueued = (
  tx: Tx,
  { spaceId, environment, accountId }: Scope & { accountId: string },
  atMost: number,
) =>
  tx.query(sql`
    select ${refunds.columns} from refunds
    where space_id = ${spaceId} and environment = ${environment} and financial_account_id = ${accountId}
      and pending_reason = 'insufficient_balance'
    order by id limit ${atMost} for update`)

/** Returns the refunds that match a condition, which may end with an order and a limit. */
export const selectRefundRows = (db: Reader, scope: Scope, condition: Sql) =>
  db.query(sql`${refunds.of(scope)} ${condition}`)

/** Erases the payers' accounts, and the texts written about or to them, from refunds that have an outcome. */
export async function eraseRefundedPayers(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  const { spaceId, environment } = scope
  const objects = ids.map((id) => ({ scope, id }))
  await lockRefunds(tx, objects)
  await markChanging(tx, 'refund', refunds.table, objects)
  await tx.run(sql`
    update refunds set
      payer_account = case when payer_account is not null then ${erased} end,
      payer_account_encrypted = null, payer_account_last = null,
      card_scheme = null, card_last4 = null, note = null, payer_message = null
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)
  await eraseAccounts(tx, scope, ids, { hasMessages: true })
}
