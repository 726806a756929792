import { bigint, json, text, time, uuid } from '../platform/db/columns.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'

/** What its payer may claim once the order is paid: up to `limit` units of something. Keys are unique in an order. */
export type Entitlement = { key: string; name: string; limit: number }

/** What a payer is asked to pay, in minor units. `number`: 12 digits. */
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

/** A part of a larger statement: it fails, and the statement with it, when a number is taken. */
export const insertingOrders = orders.insert

/** Answers the ids of those whose numbers were free. */
export async function insertOrders(tx: Tx, made: Scoped<Order>[]): Promise<string[]> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${orders.insert(made)}
    on conflict (space_id, environment, number) do nothing
    returning id`)
  return inserted.map(({ id }) => id)
}
