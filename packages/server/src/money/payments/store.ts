import type { Guidance, PaidCard, ProviderType } from '@pesewa/connector-kit'
import {
  bigint,
  encrypted,
  integer,
  json,
  orNull,
  text,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { byId, lockEach, selectEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { outcomeColumns, transactionColumns } from '../../rails/instructions/transaction-rows.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'

/**
 * An entitlement of which the payer can redeem at most `limit` units once the order is paid. Keys are unique
 * within an order.
 */
export type Entitlement = { key: string; name: string; limit: number }

/** An amount that a payer pays in one or more attempts. `amount` is in minor units, and `number` has 12 digits. */
const orders = table('orders', ['id'], {
  id: uuid,
  number: text,
  name: text,
  amount: bigint,
  currency: text,
  entitlements: json<Entitlement[]>(),
  createdAt: time,
})
export type Order = RowOf<typeof orders>

/**
 * Returns SQL that inserts orders as part of a larger statement. The statement fails if an order number is
 * already in use.
 */
export const insertingOrders = orders.insert

/** Inserts the orders whose numbers are free, and returns their ids. */
export async function insertOrders(tx: Tx, created: Scoped<Order>[]): Promise<string[]> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${orders.insert(created)}
    on conflict (space_id, environment, number) do nothing
    returning id`)
  return inserted.map(({ id }) => id)
}

/** The `payments` table. The list of payments is in `list-store.ts`. */
export const payments = table(
  'payments',
  ['id'],
  {
    ...transactionColumns,
    name: text,
    reference: orNull(text),
    orderId: uuid,
    orderNumber: text,
    originType: textOf<OwnerRef['type'] & ('checkout_session' | 'payment_code')>(),
    originId: uuid,
    /** The origin's metadata when the payment started. */
    originMetadata: json<Metadata>(),
    /** The session's attempt that was in flight when this one was started; null if there was none. */
    supersedes: orNull(uuid),
    channelType: textOf<ProviderType>(),
    /** Null for a card. */
    payerAccount: orNull(encrypted('payments.payer_account')),
    /** Masked account, if the rail does not reveal the account itself. */
    payerMask: orNull(text),
    /** Null for a card until it has been charged. */
    payerFingerprint: orNull(text),
    cardScheme: orNull(textOf<PaidCard['scheme']>()),
    cardLast4: orNull(text),
    /** The rail's page on which the payer authorizes the payment. */
    redirectUrl: orNull(text),
    redirectedAt: orNull(time),
    /** Provider's instructions to the payer. */
    guidance: orNull(json<Guidance>()),
    /** Number of codes that the payer has submitted. */
    codesSubmitted: integer,
    /** Number and total, in minor units, of refunds that have not failed or been cancelled. */
    refundCount: integer,
    refundReserved: bigint,
    /** Total amount of completed refunds. */
    refunded: bigint,
    /**
     * Total of refunds that reached the payer after being reported as failed. It includes only the part that
     * could no longer be reserved.
     */
    refundExcess: bigint,
    /** Amount that arrived after the payment had failed and that is being refunded. */
    lateReceived: bigint,
  },
  { returnedAt: orNull(time) },
)
export type Payment = RowOf<typeof payments>

const refundColumns = ['refundCount', 'refundReserved', 'refunded', 'refundExcess', 'lateReceived'] as const

const newPayments = payments.without(...refundColumns)

export const insertPayments = (tx: Tx, created: Scoped<Payment>[]) => tx.run(newPayments.insert(created))

export const selectPayment = (db: Reader, scope: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`${payments.of(scope)} and id = ${id} ${lock}`)

export const sharePayments = (db: Database) => shareReads(db, payments.requested)

/** Selects the newest attempt for an origin, whose id is the key. */
export const selectLastAttempt = sql`
  -- offset 0 keeps the planner from scanning all payments of the Space backwards.
  select * from (
    select ${payments.columns} from payments
    where space_id = requested.space_id and environment = requested.environment and origin_id = requested.id
    offset 0
  ) attempt
  order by id desc limit 1`

/** Returns the attempts for an origin, newest first. */
export const selectAttempts = (db: Reader, scope: Scope, originId: string, atMost: number) =>
  db.query(sql`
    ${payments.of(scope)} and origin_id = ${originId}
    order by id desc limit ${atMost}`)

/** Returns the attempts for several origins, newest first. */
export const selectAttemptsOfEach = (db: Reader, origins: Scoped<{ id: string }>[], atMost: number) =>
  selectEach(
    db,
    byId(origins),
    sql`
      select ${payments.columns} from payments
      where space_id = requested.space_id and environment = requested.environment and origin_id = requested.id
      order by id desc limit ${atMost}`,
  )

export const updateDetails = (tx: Tx, { spaceId, environment }: Scope, payment: Payment) =>
  tx.run(sql`
    update payments set name = ${payment.name}, metadata = ${payment.metadata}, updated_at = ${payment.updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and id = ${payment.id}`)

/**
 * Records that the payer is being redirected, and returns the payment, but only the first time
 * (compare-and-set).
 */
export const markRedirected = (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  tx.one(sql`
    update payments set redirected_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and status = 'processing'
      and redirect_url is not null and redirected_at is null
    returning ${payments.columns}`)

/** Records that the payer has returned, and returns the payment, but only the first time (compare-and-set). */
export const markReturned = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  originId: string,
  at: Date,
) =>
  tx.one(sql`
    update payments set returned_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and origin_id = ${originId}
      and redirect_url is not null and returned_at is null
    returning ${payments.columns}`)

/**
 * Counts a submitted code and returns the payment, but only if its payer may submit another code
 * (compare-and-set).
 */
export const countCode = (tx: Tx, { spaceId, environment }: Scope, id: string, atMost: number) =>
  tx.one(sql`
    update payments set codes_submitted = codes_submitted + 1
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and status = 'processing'
      and guidance->>'asksForCode' = 'true' and codes_submitted < ${atMost}
    returning ${payments.columns}`)

export const lockPayments = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, payments.requested)

const update = payments.update(
  ...outcomeColumns,
  'fees',
  'redirectUrl',
  'guidance',
  'payerFingerprint',
  'cardScheme',
  'cardLast4',
)

/** Writes locked payments whose instructions changed state. */
export const writeMoved = (tx: Tx, moved: Scoped<Payment>[]) => tx.send(update(moved))

const updateRefunded = payments.update(...refundColumns, 'updatedAt')

/** Writes the refund columns of locked payments. */
export const writeRefunded = (tx: Tx, changed: Scoped<Payment>[]) => tx.send(updateRefunded(changed))
