import { ints, times, uuids } from '../platform/db/arrays.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { type Scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { Order } from './store.ts'

/** `remaining`: units that are left, along the entitlements. */
export type Receipt = Pick<Order, 'name' | 'number' | 'amount' | 'currency' | 'entitlements'> & {
  orderId: string
  remaining: number[]
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

/** Of orders that were just paid, with nothing redeemed. An order that has a receipt keeps it. */
export const insertReceipts = (tx: Tx, paid: Scoped<{ orderId: string; updatedAt: Date }>[]) =>
  tx.run(sql`
    insert into receipts (space_id, environment, order_id, remaining, metadata, created_at, updated_at)
    select paid.space_id, paid.environment, paid.order_id,
      array(
        select (item ->> 'limit')::integer
        from json_array_elements(o.entitlements) with ordinality as items (item, place)
        order by place),
      '{}', paid.at, paid.at
    from unnest(${scopes(paid)}, ${uuids(paid.map(({ orderId }) => orderId))}::uuid[],
      ${times(paid.map(({ updatedAt }) => updatedAt))}::timestamptz[]) as paid (space_id, environment, order_id, at)
    cross join lateral (
      select entitlements from orders o
      where o.space_id = paid.space_id and o.environment = paid.environment and o.id = paid.order_id offset 0
    ) o
    on conflict do nothing`)

const columns = sql`o.name, o.number, o.amount, o.currency, o.entitlements, receipt.order_id, receipt.remaining,
  receipt.metadata, receipt.created_at, receipt.updated_at`

/** By the numbers of their orders. */
export const shareReceipts = (db: Database) =>
  shareReads<Receipt>(
    db,
    sql`
      select ${columns}
      from orders o
      join receipts receipt on receipt.space_id = o.space_id and receipt.environment = o.environment
        and receipt.order_id = o.id
      where o.space_id = wanted.space_id and o.environment = wanted.environment and o.number = wanted.id`,
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

/** Writes what was redeemed, `units` along the entitlements, and what is left. */
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
