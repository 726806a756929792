import type { Failure } from '@pesewa/connector-kit'
import type { LedgerWork } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { failedBy } from '../../rails/instructions/transaction-rows.ts'
import { changePayments, withoutRefund } from '../payments/refundable.ts'
import { refundRows } from './refunds.ts'
import type { Refund } from './store.ts'

type EndedRefund = { refund: Scoped<Refund>; failure?: Failure; at: Date }

/**
 * Ends locked refunds as failed or cancelled, so that their amounts can be refunded again. Returns the releases
 * of their holds. The caller must apply these releases.
 */
export async function endRefunds(
  tx: Tx,
  how: 'failed' | 'cancelled',
  ended: EndedRefund[],
): Promise<LedgerWork> {
  await changePayments(
    tx,
    ended.map(({ refund, at }) => ({ ...refund, updatedAt: at })),
    (payment, { reserved, updatedAt }) => withoutRefund(payment, reserved, updatedAt),
  )
  await refundRows.save(
    tx,
    `refund.${how}`,
    ended.map(({ refund, failure, at }) => ({
      ...refund,
      ...(failure && failedBy(failure, at)),
      status: how,
      pendingReason: null,
      reserved: 0n,
      updatedAt: at,
    })),
  )
  return {
    releases: ended.flatMap(({ refund: { scope, holdId }, at }) =>
      holdId ? [{ scope, id: holdId, at }] : [],
    ),
  }
}
