import { randomInt } from 'node:crypto'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { newId } from '../../platform/ids.ts'
import { insertOrders, type Order } from './store.ts'

type OrderTerms = Pick<Order, 'name' | 'amount' | 'currency' | 'entitlements'>

/** Creates orders with numbers that are unique within their scope. */
export const createOrders = (tx: Tx, terms: Scoped<OrderTerms & { at: Date }>[]): Promise<Scoped<Order>[]> =>
  openOrders(
    tx,
    terms.map(({ scope, at, ...order }) => ({ ...newOrder(order, at), scope })),
  )

/**
 * Builds an order without writing it. Its number may already be in use, but not by an order that is being written and
 * belongs to another month.
 */
export const newOrder = (terms: OrderTerms, at: Date): Order => ({
  ...terms,
  id: newId(at),
  number: newOrderNumber(at),
  createdAt: at,
})

/** Writes new orders. If an order's number is already in use, the order is given another number. */
export async function openOrders<T extends Scoped<Order>>(tx: Tx, orders: T[]): Promise<T[]> {
  for (let left = orders; left.length > 0; ) {
    const inserted = new Set(await insertOrders(tx, left))
    left = left.filter(({ id }) => !inserted.has(id))
    for (const order of left) order.number = newOrderNumber(order.createdAt)
  }
  return orders
}

/** Returns a number of 2 digits that stand for the month and 10 random digits. */
function newOrderNumber(at: Date): string {
  const month = (at.getUTCFullYear() * 12 + at.getUTCMonth()) % 100
  return [month, randomInt(1e5), randomInt(1e5)]
    .map((part, i) => String(part).padStart(i === 0 ? 2 : 5, '0'))
    .join('')
}
