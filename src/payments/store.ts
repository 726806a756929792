import { movedColumns, selectReferencesOf } from '../instructions/moved-rows.ts'
import { bigint, integer, json, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { byId, lockEach, selectEach } from '../platform/db/lookups.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { PaidCard } from '../providers/connector.ts'
import type { Guidance } from '../providers/guidance.ts'
import type { ProviderType } from '../providers/provider.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

/** What the payer may claim once the order is paid: up to `limit` units of something. Keys are unique in an order. */
export type Entitlement = { key: string; name: string; limit: number }

/** What a payer is to pay, however often they try. `amount`: in minor units; `number`: 12 digits. */
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

/** Part of a larger statement, which fails when a number is in use. */
export const insertingOrders = orders.insert

/** Returns the ids of those whose numbers were free. */
export async function insertOrders(tx: Tx, created: Scoped<Order>[]): Promise<string[]> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${orders.insert(created)}
    on conflict (space_id, environment, number) do nothing
    returning id`)
  return inserted.map(({ id }) => id)
}

/** Its rows are listed by `list.ts`. */
export const payments = table(
  'payments',
  ['id'],
  {
    ...movedColumns,
    name: text,
    reference: orNull(text),
    orderId: uuid,
    orderNumber: text,
    originType: textOf<OwnerRef['type'] & ('checkout_session' | 'payment_code')>(),
    originId: uuid,
    /** The origin's metadata when the payment began. */
    originMetadata: json<Metadata>(),
    channelType: textOf<ProviderType>(),
    /** None for a card. */
    payerAccount: orNull(text),
    /** As the rail hides the payer's account, where it names none. */
    payerMask: orNull(text),
    /** Of a card only once it has paid. */
    payerFingerprint: orNull(text),
    cardScheme: orNull(textOf<PaidCard['scheme']>()),
    cardLast4: orNull(text),
    /** The rail's page, where the payer authorises. */
    redirectUrl: orNull(text),
    redirectedAt: orNull(time),
    /** What the payer has to do, in the provider's words. */
    guidance: orNull(json<Guidance>()),
    /** That the payer gave the provider. */
    codesSubmitted: integer,
    /** Of refunds that have not failed or been cancelled, in minor units: how many, and what they come to. */
    refundCount: integer,
    refundReserved: bigint,
    /** Of completed refunds. */
    refunded: bigint,
    /** What went back although its refund had failed, beyond what was left to reserve for it. */
    refundExcess: bigint,
    /** What arrived after it had failed, and is given back. */
    lateReceived: bigint,
  },
  { returnedAt: orNull(time) },
)
export type Payment = RowOf<typeof payments>

const newPayments = payments.without(
  'refundCount',
  'refundReserved',
  'refunded',
  'refundExcess',
  'lateReceived',
)

export const insertPayments = (tx: Tx, created: Scoped<Payment>[]) => tx.run(newPayments.insert(created))

export const selectPayment = (db: Reader, { spaceId, environment }: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`
    select ${payments.columns} from payments
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

export const sharePayments = (db: Database) => shareReads(db, payments.requested)

/** The newest attempt to pay one thing, by the id of that. */
export const shareLastAttempts = (db: Database) =>
  shareReads(
    db,
    sql`
      -- Left to itself the planner may go back through all payments of the Space.
      select * from (
        select ${payments.columns} from payments
        where space_id = requested.space_id and environment = requested.environment and origin_id = requested.id
        offset 0
      ) attempt
      order by id desc limit 1`,
  )

/** Those of some rail references that payments have. */
export const selectReferences = (db: Reader, references: Scoped<{ reference: string }>[]) =>
  selectReferencesOf(db, sql`payments`, references)

/** All attempts to pay one thing, newest first. */
export const selectAttempts = (
  db: Reader,
  { spaceId, environment }: Scope,
  originId: string,
  atMost: number,
) =>
  db.query(sql`
    select ${payments.columns} from payments
    where space_id = ${spaceId} and environment = ${environment} and origin_id = ${originId}
    order by id desc limit ${atMost}`)

/** The same of many things. */
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

/** Compare and set: returns the payment the first time only. */
export const markRedirected = (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  tx.one(sql`
    update payments set redirected_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and status = 'processing'
      and redirect_url is not null and redirected_at is null
    returning ${payments.columns}`)

/** Compare and set: returns the payment the first time only. */
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

/** Compare and set: returns the payment where its payer may give one more code. */
export const countCode = (tx: Tx, { spaceId, environment }: Scope, id: string, atMost: number) =>
  tx.one(sql`
    update payments set codes_submitted = codes_submitted + 1
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and status = 'processing'
      and guidance->>'asksForCode' = 'true' and codes_submitted < ${atMost}
    returning ${payments.columns}`)

export const lockPayments = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, payments.requested)

const update = payments.update(
  'status',
  'ledgerReference',
  'railTransaction',
  'fees',
  'redirectUrl',
  'guidance',
  'payerFingerprint',
  'cardScheme',
  'cardLast4',
  'failureCode',
  'failureMessage',
  'updatedAt',
)

/** Writes what changed of locked payments as their instructions moved. */
export const writeMoved = (tx: Tx, moved: Scoped<Payment>[]) => tx.run(update(moved))

const updateRefunded = payments.update(
  'refundCount',
  'refundReserved',
  'refunded',
  'refundExcess',
  'lateReceived',
  'updatedAt',
)

/** Writes what refunds changed of locked payments. */
export const writeRefunded = (tx: Tx, changed: Scoped<Payment>[]) => tx.run(updateRefunded(changed))
