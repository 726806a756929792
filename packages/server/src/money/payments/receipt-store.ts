import { ints } from '../../platform/db/arrays.ts'
import { time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { type Scoped, scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { Order } from './store.ts'

/**
 * A receipt. `remaining` is the number of units that are left of each entitlement, in the order of the
 * entitlements.
 */
export type Receipt = Pick<Order, 'name' | 'number' | 'amount' | 'currency' | 'entitlements'> & {
  orderId: string
  remaining: number[]
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

/** Inserts receipts, with nothing redeemed, for newly paid orders. Existing receipts stay unchanged. */
export const insertReceipts = (tx: Tx, paid: Scoped<{ orderId: string; updatedAt: Date }>[]) =>
  tx.send(sql`
    insert into receipts (space_id, environment, order_id, remaining, metadata, created_at, updated_at)
    select requested.space_id, requested.environment, requested.order_id,
      array(
        select (item ->> 'limit')::integer
        from json_array_elements(o.entitlements) with ordinality as items (item, place)
        order by place),
      '{}', requested.updated_at, requested.updated_at
    from ${paidOrders(paid)} cross join lateral (
      select entitlements from orders
      where space_id = requested.space_id and environment = requested.environment and id = requested.order_id offset 0
    ) o
    on conflict do nothing`)

const paidOrders = unnestScoped({ orderId: uuid, updatedAt: time })

const columns = sql`o.name, o.number, o.amount, o.currency, o.entitlements, receipt.order_id, receipt.remaining,
  receipt.metadata, receipt.created_at, receipt.updated_at`

/** Returns a function that looks up receipts by order number. */
export const shareReceipts = (db: Database) =>
  shareReads<Receipt>(
    db,
    sql`
      select ${columns}
      from orders o
      join receipts receipt on receipt.space_id = o.space_id and receipt.environment = o.environment
        and receipt.order_id = o.id
      where o.space_id = requested.space_id and o.environment = requested.environment and o.number = requested.id`,
    'text',
  )

export const selectReceipt = (
  db: Reader,
  { spaceId, environment }: Scope,
  orderNumber: string,
  lock: Sql = nothing,
) =>
  db.one<Receipt>(sql`
    select ${columns}
    from receipts receipt
    join orders o on o.space_id = ${spaceId} and o.environment = ${environment} and o.id = receipt.order_id
    where receipt.space_id = ${spaceId} and receipt.environment = ${environment} and o.number = ${orderNumber} ${lock}`)

/** Returns the receipts of orders with this number. Numbers are unique within a Space and environment only. */
export const selectReceiptsNumbered = async (db: Reader, number: string): Promise<Scoped<Receipt>[]> =>
  (
    await db.query<Scope & Receipt>(sql`
      -- every space: the code on a receipt does not name its Space.
      select o.space_id, o.environment, ${columns}
      from orders o
      join receipts receipt on receipt.space_id = o.space_id and receipt.environment = o.environment
        and receipt.order_id = o.id
      where o.number = ${number}
      limit 100`)
  ).map(scoped)

/** Returns what the merchant has received for an order and not refunded, in minor units. */
export async function selectKept(
  db: Reader,
  { spaceId, environment }: Scope,
  orderNumber: string,
): Promise<bigint> {
  const { kept } = await db.only<{ kept: bigint }>(sql`
    select coalesce(sum(amount - refunded), 0)::bigint as kept from payments
    where space_id = ${spaceId} and environment = ${environment} and order_number = ${orderNumber}
      and status = 'completed'`)
  return kept
}

/**
 * Writes a redemption and the remaining units of its receipt. `units` is the number redeemed of each
 * entitlement, in the order of the entitlements.
 */
export const redeem = (
  tx: Tx,
  { spaceId, environment }: Scope,
  { orderId, remaining, metadata, updatedAt }: Receipt,
  units: number[],
) =>
  tx.run(sql`
    with redemption as (
      insert into redemptions (space_id, environment, order_id, number, units, at)
      select ${spaceId}, ${environment}, ${orderId}, 1 + coalesce(max(number), 0), ${ints(units)}::integer[], ${updatedAt}
      from redemptions
      where space_id = ${spaceId} and environment = ${environment} and order_id = ${orderId}
    )
    update receipts set remaining = ${ints(remaining)}::integer[], metadata = ${metadata}, updated_at = ${updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and order_id = ${orderId}`)
