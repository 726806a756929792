import { type EventType, type NewEvent, publishEach } from '../events/events.ts'
import { instruct, type TakeUp } from '../instructions/instructions.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { showId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { ownershipGraph } from '../spaces/ownership.ts'
import { userIds } from '../spaces/resources.ts'
import { payoutIds } from './resources.ts'
import { lockPayouts, type Payout } from './store.ts'

export type { Payout } from './store.ts'

/** The payout, locked until the transaction ends. */
export async function lockPayout(tx: Tx, scope: Scope, id: string): Promise<Scoped<Payout>> {
  const [payout] = await lockPayouts(tx, [{ scope, id }])
  if (!payout) throw new Refusal('not_found')
  return payout
}

export const publishPayouts = (tx: Tx, type: EventType, payouts: Scoped<Payout>[]) =>
  publishEach(
    tx,
    payouts.map((payout) => payoutEvent([type], payout)),
  )

export const payoutEvent = (
  types: NewEvent['types'],
  { scope, ...payout }: Scoped<Payout>,
): Scoped<NewEvent> => ({
  scope,
  types,
  objectId: payout.id,
  data: presentPayout(scope, payout),
  at: payout.updatedAt,
})

export type PayoutParts = { lanes: { takeUp: TakeUp } }

/**
 * Instructs providers to pay these out, as of when they last changed, and returns them as they are to be written:
 * `processing` is what leaves as soon as the transaction has committed.
 */
export async function instructPayouts(
  tx: Tx,
  { lanes }: PayoutParts,
  payouts: Scoped<Payout>[],
): Promise<Scoped<Payout>[]> {
  const leaving = await instruct(
    tx,
    lanes,
    payouts.map((payout) => ({
      ...payout,
      kind: 'disburse',
      account: payout.payeeAccount,
      reference: payout.railReference,
      description: 'Payout',
      createdAt: payout.updatedAt,
    })),
  )
  const instructed = payouts.map(
    (payout): Scoped<Payout> => (leaving.has(payout.id) ? { ...payout, status: 'processing' } : payout),
  )
  publishPayouts(
    tx,
    'payout.processing',
    instructed.filter(({ id }) => leaving.has(id)),
  )
  return instructed
}

/** The resource as the API shows it. */
export function presentPayout({ spaceId }: Scope, payout: Payout) {
  const money = (value: bigint) => ({ currency: payout.currency, value: wholeNumber(value) })
  return {
    id: showId(payoutIds, payout.id),
    status: payout.status,
    amount: money(payout.amount),
    source: {
      financialAccountId: showId(accountIds, payout.financialAccountId),
      transactionReference: payout.ledgerReference,
    },
    destination: {
      type: payout.destinationType,
      providerId: payout.providerId,
      ...accountOf(payout),
      transactionReference: payout.railTransaction,
    },
    fees: payout.fees.map((fee) => ({ code: fee.code, amount: money(BigInt(fee.amount)), metadata: {} })),
    failureDetail: payout.failureCode
      ? { code: payout.failureCode, message: payout.failureMessage ?? '' }
      : null,
    approval: payout.approval
      ? {
          status: payout.approval,
          userId: payout.approvalUserId && showId(userIds, payout.approvalUserId),
          time: payout.approvalAt?.toISOString() ?? null,
        }
      : null,
    createTime: payout.createdAt.toISOString(),
    updateTime: payout.updatedAt.toISOString(),
    ownershipGraph: ownershipGraph(spaceId, []),
    metadata: payout.metadata,
  }
}

/** In full: the merchant named it, and whoever approves has to see where the money goes. */
function accountOf({ destinationType, payeeAccount }: Payout) {
  switch (destinationType) {
    case 'momo':
      return { phoneNumber: payeeAccount }
    case 'bank':
      return { accountNumber: payeeAccount }
    case 'wallet':
      return { walletId: payeeAccount }
  }
}
