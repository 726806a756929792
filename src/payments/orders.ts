import { randomInt } from 'node:crypto'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { insertOrder, type Order } from './store.ts'

export type { Entitlement, Order } from './store.ts'

/**
 * Opens an order: what a payer is asked to pay, however often they try, and what they may claim once it is paid. Its
 * number is unique in the scope.
 */
export async function createOrder(
  tx: Tx,
  scope: Scope,
  wanted: Pick<Order, 'name' | 'amount' | 'currency' | 'entitlements'>,
  at: Date,
): Promise<Order> {
  for (;;) {
    const order = { ...wanted, id: newId(at), number: newOrderNumber(), createdAt: at }
    if ((await insertOrder(tx, scope, order)) === 1) return order
  }
}

/** 12 random digits. */
const newOrderNumber = () => String(randomInt(1e6)).padStart(6, '0') + String(randomInt(1e6)).padStart(6, '0')
