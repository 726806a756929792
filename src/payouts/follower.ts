import assert from 'node:assert/strict'
import { type EventType, publish } from '../events/events.ts'
import type { Completed, Followed, Follower } from '../instructions/follower.ts'
import { type SystemPurpose, systemAccount } from '../ledger/accounts.ts'
import { type Capture, captureEach, releaseEach } from '../ledger/holds.ts'
import { newReference } from '../ledger/reference.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { bySpace } from '../platform/scopes.ts'
import type { FailureCode } from '../providers/connector.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { type Payout, publishPayouts } from './payouts.ts'
import { lockPayouts, writePayouts } from './store.ts'

/** Without an answer for so long, the merchant is told. */
const delayedAfterMs = 600_000

/** What happens to payouts as their instructions move. */
export const payoutFollower: Follower = {
  delayedAfterMs,
  submitting: (tx, moved) =>
    change(tx, moved, 'payout.processing', (payout, { at }) => ({
      ...payout,
      status: 'processing',
      updatedAt: at,
    })),
  delayed: (tx, delayed) =>
    change(tx, delayed, 'payout.delayed', (payout, { at }) => ({ ...payout, updatedAt: at })),
  completed: complete,
  async failed(tx, failed) {
    const byId = new Map(failed.map((one) => [one.instruction.id, one]))
    for (const [scope, ofSpace] of bySpace(failed.map(({ instruction }) => instruction))) {
      const payouts = await lockPayouts(
        tx,
        scope,
        ofSpace.map(({ id }) => id),
      )
      await failPayouts(
        tx,
        scope,
        payouts.map((payout) => ({ ...byId.get(payout.id)!, payout })),
      )
    }
  },
  async owners(tx, instructions) {
    const owners = new Map<string, Payout>()
    for (const [scope, ofSpace] of bySpace(instructions))
      for (const payout of await lockPayouts(
        tx,
        scope,
        ofSpace.map(({ id }) => id),
      ))
        owners.set(payout.id, payout)
    return instructions.map(({ id }) => ownerOf('payout', owners.get(id)!))
  },
}

async function change(
  tx: Tx,
  moved: Followed[],
  type: EventType,
  step: (payout: Payout, by: Followed) => Payout,
): Promise<void> {
  const byId = new Map(moved.map((one) => [one.instruction.id, one]))
  for (const [scope, ofSpace] of bySpace(moved.map(({ instruction }) => instruction))) {
    const locked = await lockPayouts(
      tx,
      scope,
      ofSpace.map(({ id }) => id),
    )
    const payouts = locked.map((payout) => step(payout, byId.get(payout.id)!))
    await writePayouts(tx, scope, payouts)
    await publishPayouts(tx, scope, type, payouts)
  }
}

/** Books payouts whose money moved: the amount to the rail, and each fee to the service. */
async function complete(tx: Tx, completed: Completed[]): Promise<void> {
  const byId = new Map(completed.map((one) => [one.instruction.id, one]))
  for (const [scope, ofSpace] of bySpace(completed.map(({ instruction }) => instruction))) {
    const locked = await lockPayouts(
      tx,
      scope,
      ofSpace.map(({ id }) => id),
    )
    const payouts = locked.map((payout): Payout => {
      const { at, railTransaction = null } = byId.get(payout.id)!
      return {
        ...payout,
        status: 'completed',
        railTransaction,
        ledgerReference: newReference(at),
        updatedAt: at,
      }
    })
    const at = payouts[0]!.updatedAt
    const accountOf = createAccounts(tx, scope, at)
    const captures = new Map<string, Capture>()
    for (const payout of payouts) captures.set(payout.holdId!, await captureOf(payout, accountOf))
    await captureEach(tx, scope, captures, at)
    await writePayouts(tx, scope, payouts)
    await publishPayouts(tx, scope, 'payout.completed', payouts)
  }
}

type AccountOf = (purpose: SystemPurpose, currency: string) => Promise<string>

/** As lines of their own under one reference. */
async function captureOf(payout: Payout, accountOf: AccountOf): Promise<Capture> {
  const { amount, currency, providerId } = payout
  const credits: Capture['credits'] = [
    { accountId: await accountOf(`clearing ${providerId} disbursement`, currency), amount },
  ]
  for (const fee of payout.fees)
    credits.push({
      accountId: await accountOf('fees', currency),
      amount: BigInt(fee.amount),
      feeCode: fee.code,
    })
  return { reference: payout.ledgerReference!, owners: [ownerOf('payout', payout)], credits }
}

/** The service's accounts, each looked up once. */
function createAccounts(tx: Tx, scope: Scope, at: Date): AccountOf {
  const known = new Map<string, Promise<string>>()
  return (purpose, currency) => {
    const name = `${purpose} ${currency}`
    const found = known.get(name) ?? systemAccount(tx, scope, purpose, currency, at)
    known.set(name, found)
    return found
  }
}

type FailedPayout = { payout: Payout; failure: { code: FailureCode; message: string }; at: Date }

/** No money moved, or none will: what was held is free again. The payouts are locked and have not ended. */
export async function failPayouts(tx: Tx, scope: Scope, failed: FailedPayout[]): Promise<void> {
  const payouts = failed.map(({ payout, failure, at }): Payout => {
    assert(payout.holdId, 'what has not ended has a hold')
    return {
      ...payout,
      status: 'failed',
      failureCode: failure.code,
      failureMessage: failure.message,
      updatedAt: at,
    }
  })
  await releaseEach(
    tx,
    scope,
    payouts.map(({ holdId }) => holdId!),
    payouts[0]!.updatedAt,
  )
  await writePayouts(tx, scope, payouts)
  await publishPayouts(tx, scope, 'payout.failed', payouts)
}
