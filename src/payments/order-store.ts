import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Tx } from '../platform/db/database.ts'
import { type Scoped, scopes } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'

/** What its payer may claim once the order is paid: up to `limit` units of something. Keys are unique in an order. */
export type Entitlement = { key: string; name: string; limit: number }

/** What a payer is asked to pay, in minor units. `number`: 12 digits. */
export type Order = {
  id: string
  number: string
  name: string
  amount: bigint
  currency: string
  entitlements: Entitlement[]
  createdAt: Date
}

/** A part of a larger statement: it fails, and the statement with it, when a number is taken. */
export const insertingOrders = (orders: Scoped<Order>[]): Sql => sql`
    insert into orders (space_id, environment, id, number, name, amount, currency, entitlements, created_at)
    select space_id, environment, id, number, name, amount, currency, entitlements::json, created_at
    from unnest(${scopes(orders)}, ${uuids(orders.map(({ id }) => id))}::uuid[], ${texts(orders.map(({ number }) => number))}::text[],
      ${texts(orders.map(({ name }) => name))}::text[], ${bigints(orders.map(({ amount }) => amount))}::bigint[],
      ${texts(orders.map(({ currency }) => currency))}::text[],
      ${texts(orders.map(({ entitlements }) => JSON.stringify(entitlements)))}::text[],
      ${times(orders.map(({ createdAt }) => createdAt))}::timestamptz[])
      as given (space_id, environment, id, number, name, amount, currency, entitlements, created_at)`

/** Answers the ids of those whose numbers were free. */
export async function insertOrders(tx: Tx, orders: Scoped<Order>[]): Promise<string[]> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${insertingOrders(orders)}
    on conflict (space_id, environment, number) do nothing
    returning id`)
  return inserted.map(({ id }) => id)
}
