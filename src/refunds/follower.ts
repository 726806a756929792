import type { Followed, Follower } from '../instructions/follower.ts'
import { lockPayments } from '../payments/payments.ts'
import { afterLateRefund, changePayments } from '../payments/refundable.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn } from '../platform/db/scoped.ts'
import { must } from '../platform/must.ts'
import { ownerOf } from '../spaces/ownership.ts'
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
  async resting(tx, { environment, providerId }) {
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
  /** Also locks their payments: refunding a payment locks it before any account. */
  async owners(tx, instructions) {
    const refunds = byName(await lockRefunds(tx, instructions))
    const inOrder = instructions.map(({ scope, id }) =>
      must(refunds.get(nameIn(scope, id)), 'refund of an instruction'),
    )
    await lockPayments(
      tx,
      inOrder.map(({ scope, paymentId: id }) => ({ scope, id })),
    )
    return inOrder.map((refund) => ownerOf('refund', refund))
  },
  async contradicted(tx, moves) {
    const hasFailed = ({ instruction }: Followed) => instruction.state === 'failed'
    await countAgain(tx, moves.filter(hasFailed))
    const returned = await refundRows.step(
      tx,
      moves.filter((move) => !hasFailed(move)),
      (refund, { at }) => ({ ...refund, updatedAt: at }),
    )
    await refundRows.save(tx, 'refund.returned', returned)
  },
}

/** Counts failed refunds that reached the payer after all against their payments. */
async function countAgain(tx: Tx, moves: Followed[]): Promise<void> {
  const late = await refundRows.step(tx, moves, (refund, { at }) => ({ ...refund, updatedAt: at }))
  await changePayments(tx, late, (payment, refund) => {
    const late = afterLateRefund(payment, refund.amount, refund.updatedAt)
    refund.reserved = late.reserved
    return late.payment
  })
  await writeRefunds(tx, late)
}
