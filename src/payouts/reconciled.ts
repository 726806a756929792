import { sql } from '../platform/db/sql.ts'
import type { Reconciled } from '../reconciliation/objects.ts'

/** How a provider's statement may name a payout. */
export const reconciledPayouts: Reconciled = {
  type: 'payout',
  table: sql`payouts`,
  orderNumber: sql`null::text`,
}
