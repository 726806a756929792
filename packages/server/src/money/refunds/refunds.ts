import type { Failure } from '@pesewa/connector-kit'
import type { LedgerWork } from '../../ledger/accounts/holds.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Admit } from '../../rails/instructions/instructions.ts'
import {
  failedBy,
  openTransactionRows,
  presentTransaction,
} from '../../rails/instructions/transaction-rows.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { currentOwner, type OwnerRef, ownershipGraph } from '../../tenants/spaces/ownership.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { presentApproval } from '../approvals/approvals.ts'
import { shownPayer } from '../payments/channel.ts'
import { changePayments, withoutRefund } from '../payments/refundable.ts'
import { paymentIds } from '../payments/resources.ts'
import { refundIds } from './resources.ts'
import type { RefundSettings } from './settings.ts'
import { lockRefunds, type Refund, writeRefunds } from './store.ts'

export const refundRows = openTransactionRows<Refund>({
  noun: 'refund',
  lock: lockRefunds,
  write: writeRefunds,
  present: (refund) => presentRefund(refund.scope, refund),
})

/** Dependencies of the slice. */
export type RefundParts = Pick<Platform<RefundSettings>, 'seals' | 'settings'> &
  Pick<Providers, 'connectors'> & { queues: { admit: Admit } }

/**
 * Instructs providers to send the given refunds. The time of each instruction is that of the refund's last
 * change. Returns the refunds to be written.
 */
export const instructRefunds = (tx: Tx, { queues }: RefundParts, refunds: Scoped<Refund>[]) =>
  refundRows.instruct(
    tx,
    queues,
    refunds,
    ({ method, net, payerAccount, payerMessage, original, updatedAt }) => ({
      kind: method === 'payout' ? 'disburse' : 'refund',
      amount: net,
      account: payerAccount,
      description: payerMessage ?? 'Refund',
      original: method === 'payout' ? null : original,
      connection: original.connection ?? null,
      createdAt: updatedAt,
    }),
  )

/** Returns a refund, which stays locked until the transaction ends. */
export const lockRefund = async (tx: Tx, scope: Scope, id: string) =>
  existing((await lockRefunds(tx, [{ scope, id }]))[0])

/**
 * Returns the owners that come after the refund in its postings' chain of owners: its payment, then the session
 * or code of the payment.
 */
export const paymentOwners = ({ paymentId, paymentMetadata, origin }: Refund): OwnerRef[] => [
  currentOwner('payment', { id: paymentId, metadata: paymentMetadata }),
  origin,
]

/** Returns the refund as an API resource. The payer's account is masked, as it is for the payment. */
export function presentRefund({ spaceId }: Scope, refund: Refund) {
  const { amount, fees, failureDetail } = presentTransaction(refund)
  return {
    id: showId(refundIds, refund.id),
    status: refund.status,
    pendingReason: refund.pendingReason,
    paymentId: showId(paymentIds, refund.paymentId),
    orderNumber: refund.orderNumber,
    amount,
    fees,
    bearer: refund.bearer,
    source: {
      financialAccountId: showId(accountIds, refund.financialAccountId),
      transactionReference: refund.ledgerReference,
    },
    destination: {
      type: refund.destinationType,
      providerId: refund.providerId,
      ...shownPayer({ ...refund, channelType: refund.destinationType }),
      transactionReference: refund.railTransaction,
    },
    method: refund.method,
    reason: refund.reason,
    note: refund.note,
    payerMessage: refund.payerMessage,
    failureDetail,
    approval: presentApproval(refund),
    createUserId: refund.createdBy && showId(userIds, refund.createdBy),
    createTime: refund.createdAt.toISOString(),
    updateTime: refund.updatedAt.toISOString(),
    completeTime: refund.completedAt?.toISOString() ?? null,
    ownershipGraph: ownershipGraph(spaceId, paymentOwners(refund)),
    metadata: refund.metadata,
  }
}

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
  refundRows.save(
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
