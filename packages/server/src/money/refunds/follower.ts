import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName } from '../../platform/db/scoped.ts'
import type { FollowedInstruction, Follower } from '../../rails/instructions/follower.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import { afterLateRefund, changePayments } from '../payments/refundable.ts'
import { lockPayments } from '../payments/store.ts'
import { completeRefunds } from './completing.ts'
import { endRefunds } from './ending.ts'
import { refundRows } from './refunds.ts'
import { lockRefunds, markUnavailable, writeRefunds } from './store.ts'

const delayedAfterMs = 600_000 // limit: time until `refund.delayed`

/** Updates refunds as their instructions change state. */
export const refundFollower: Follower = {
  ...refundRows.follower,
  delayedAfterMs,
  async submitting(tx, moves) {
    const refunds = await refundRows.step(tx, moves, (refund, { at }) => ({
      ...refund,
      status: 'processing' as const,
      pendingReason: null,
      updatedAt: at,
    }))
    await refundRows.save(tx, 'refund.processing', refunds)
  },
  async breakerOpened(tx, { environment, providerId }) {
    await markUnavailable(tx, environment, providerId)
  },
  async delayed(tx, delayed) {
    const refunds = await refundRows.step(tx, delayed, (refund, { at }) => ({ ...refund, updatedAt: at }))
    await refundRows.save(tx, 'refund.delayed', refunds)
  },
  completed: completeRefunds,
  async failed(tx, failed) {
    const refunds = await refundRows.step(tx, failed, (refund, { failure, at }) => ({ refund, failure, at }))
    return endRefunds(tx, 'failed', refunds)
  },
  /**
   * Returns the owners of refunds' instructions, and locks the refunds and their payments. A refund's payment
   * must be locked before any account.
   */
  async owners(tx, instructions) {
    const refunds = byGlobalName(await lockRefunds(tx, instructions))
    const inOrder = instructions.map(({ scope, id }) =>
      must(refunds.get(globalName(scope, id)), 'refund of an instruction'),
    )
    await lockPayments(
      tx,
      inOrder.map(({ scope, paymentId: id }) => ({ scope, id })),
    )
    return inOrder.map((refund) => currentOwner('refund', refund))
  },
  async contradicted(tx, moves) {
    const hasFailed = ({ instruction }: FollowedInstruction) => instruction.state === 'failed'
    await countLateRefunds(tx, moves.filter(hasFailed))
    const returned = await refundRows.step(
      tx,
      moves.filter((move) => !hasFailed(move)),
      (refund, { at }) => ({ ...refund, updatedAt: at }),
    )
    await refundRows.save(tx, 'refund.returned', returned)
  },
}

/** Updates the payments of refunds that were reported as failed but have reached the payer after all. */
async function countLateRefunds(tx: Tx, moves: FollowedInstruction[]): Promise<void> {
  const late = await refundRows.step(tx, moves, (refund, { at }) => ({ ...refund, updatedAt: at }))
  await changePayments(tx, late, (payment, refund) => {
    const late = afterLateRefund(payment, refund.amount, refund.updatedAt)
    refund.reserved = late.reserved
    return late.payment
  })
  await writeRefunds(tx, late)
}
