import assert from 'node:assert/strict'
import type { EventType } from '../events/events.ts'
import type { Completed, Followed, Follower } from '../instructions/follower.ts'
import { settlementAccounts } from '../ledger/accounts.ts'
import { captureEach, releaseEach } from '../ledger/holds.ts'
import { newReference } from '../ledger/reference.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import type { FailureCode } from '../providers/connector.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { type Payout, publishPayouts } from './payouts.ts'
import { lockPayouts, writePayouts } from './store.ts'

/** Without an outcome for so long, the merchant gets an event. */
const delayedAfterMs = 600_000

/** What happens to payouts as their instructions move. */
export const payoutFollower: Follower = {
  delayedAfterMs,
  noun: 'payout',
  async submitting(tx, moved) {
    const payouts = await payoutsOf(tx, moved, (payout, { at }) => ({
      ...payout,
      status: 'processing' as const,
      updatedAt: at,
    }))
    await write(tx, 'payout.processing', payouts)
  },
  async delayed(tx, delayed) {
    const payouts = await payoutsOf(tx, delayed, (payout, { at }) => ({ ...payout, updatedAt: at }))
    await write(tx, 'payout.delayed', payouts)
  },
  completed: complete,
  async failed(tx, failed) {
    await failPayouts(tx, await payoutsOf(tx, failed, (payout, { failure, at }) => ({ payout, failure, at })))
  },
  async owners(tx, instructions) {
    const payouts = byName(await lockPayouts(tx, instructions))
    return instructions.map(({ scope, id }) => ownerOf('payout', payouts.get(nameIn(scope, id))!))
  },
}

/** Of each payout of these instructions, locked, what a step makes of it. */
async function payoutsOf<T extends Followed, R = Scoped<Payout>>(
  tx: Tx,
  moved: T[],
  step: (payout: Scoped<Payout>, by: T) => R,
): Promise<R[]> {
  const by = new Map(moved.map((one) => [nameIn(one.instruction.scope, one.instruction.id), one]))
  const payouts = await lockPayouts(
    tx,
    moved.map(({ instruction }) => instruction),
  )
  return payouts.map((payout) => step(payout, by.get(nameIn(payout.scope, payout.id))!))
}

async function write(tx: Tx, type: EventType, payouts: Scoped<Payout>[]): Promise<void> {
  await writePayouts(tx, payouts)
  publishPayouts(tx, type, payouts)
}

/** Books payouts whose money moved: the amount to the rail, and each fee to the service. */
async function complete(tx: Tx, completed: Completed[]): Promise<void> {
  const payouts = await payoutsOf(tx, completed, (payout, { at, railTransaction = null }) => ({
    ...payout,
    status: 'completed' as const,
    railTransaction,
    ledgerReference: newReference(at),
    updatedAt: at,
  }))
  const accounts = await settlementAccounts(tx, 'disbursement', payouts)
  await write(tx, 'payout.completed', payouts)
  // At the end: others wait for these accounts until the commit.
  await captureEach(
    tx,
    payouts.map((payout, i) => ({
      scope: payout.scope,
      id: payout.holdId!,
      at: payout.updatedAt,
      reference: payout.ledgerReference,
      owners: [ownerOf('payout', payout)],
      // As lines of their own under one reference.
      credits: [
        { accountId: accounts[i]!.clearing, amount: payout.amount },
        ...payout.fees.map(({ code, amount }) => ({
          accountId: accounts[i]!.fees!,
          amount: BigInt(amount),
          feeCode: code,
        })),
      ],
    })),
  )
}

type FailedPayout = {
  payout: Scoped<Payout>
  failure: { code: FailureCode; message: string }
  at: Date
}

/** No money moved, or none will: what was held is free again. The payouts are locked and have not ended. */
export async function failPayouts(tx: Tx, failed: FailedPayout[]): Promise<void> {
  await releaseEach(
    tx,
    failed.map(({ payout: { scope, holdId }, at }) => {
      assert(holdId, 'what has not ended has a hold')
      return { scope, id: holdId, at }
    }),
  )
  const payouts = failed.map(({ payout, failure, at }) => ({
    ...payout,
    status: 'failed' as const,
    failureCode: failure.code,
    failureMessage: failure.message,
    updatedAt: at,
  }))
  await write(tx, 'payout.failed', payouts)
}
