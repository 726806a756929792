import { sql } from '../platform/db/sql.ts'
import type { Reconciled } from '../reconciliation/objects.ts'

/** How a provider's statement may name a payment. */
export const reconciledPayments: Reconciled = {
  type: 'payment',
  table: sql`payments`,
  orderNumber: sql`object.order_number`,
}
