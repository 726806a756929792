import { randomInt } from 'node:crypto'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { newId } from '../platform/ids.ts'
import { only } from '../platform/must.ts'
import type { Scope } from '../platform/scope.ts'
import { insertOrders, type Order } from './order-store.ts'

export { type Entitlement, insertingOrders, type Order } from './order-store.ts'

export type WantedOrder = Pick<Order, 'name' | 'amount' | 'currency' | 'entitlements'>

/**
 * Opens orders, each what a payer is asked to pay, however often they try, and what they may claim once it is paid.
 * Their numbers are unique in their scopes.
 */
export const createOrders = (
  tx: Tx,
  wanted: Scoped<WantedOrder & { at: Date }>[],
): Promise<Scoped<Order>[]> =>
  openOrders(
    tx,
    wanted.map(({ scope, at, ...one }) => ({ ...newOrder(one, at), scope })),
  )

/** An order that is not written yet: its number may turn out to be taken. */
export const newOrder = (wanted: WantedOrder, at: Date): Order => ({
  ...wanted,
  id: newId(at),
  number: newOrderNumber(),
  createdAt: at,
})

/** Writes new orders; one whose number is taken gets another. */
export async function openOrders<T extends Scoped<Order>>(tx: Tx, orders: T[]): Promise<T[]> {
  for (let left = orders; left.length > 0; ) {
    const inserted = new Set(await insertOrders(tx, left))
    left = left.filter(({ id }) => !inserted.has(id))
    for (const order of left) order.number = newOrderNumber()
  }
  return orders
}

export const createOrder = async (tx: Tx, scope: Scope, wanted: WantedOrder, at: Date): Promise<Order> =>
  only(await createOrders(tx, [{ ...wanted, scope, at }]))

/** 12 random digits. */
const newOrderNumber = () => String(randomInt(1e6)).padStart(6, '0') + String(randomInt(1e6)).padStart(6, '0')
