import { selectContradicted } from '../../ledger/accounts/case-store.ts'
import { applyLedgerWork, reserveEach } from '../../ledger/accounts/holds.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { durationMs } from '../../platform/duration.ts'
import { schedule, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { sumFees } from '../fees/fees.ts'
import { endRefunds, instructRefunds, type RefundParts } from './refunds.ts'
import { lockQueued, lockRefunds, type Refund, selectShortAccounts, writeRefunds } from './store.ts'

const longestWaitMs = durationMs('30d') // limit: how long a refund waits for a sufficient balance
const maxAtOnce = 50 // queued refunds of an account that are sent in one transaction

/** Returns the hold to be placed for a refund. */
export const holdOf = (refund: Scoped<Refund>, at: Date) => ({
  scope: refund.scope,
  at,
  accountId: refund.financialAccountId,
  amount: refund.net + sumFees(refund.fees),
  owner: { id: refund.id, type: 'refund' },
})

/**
 * Holds the money and instructs the provider or, if the balance is insufficient, queues the refund. Returns
 * whether the refund was sent.
 */
export async function sendOrQueue(tx: Tx, parts: RefundParts, refund: Scoped<Refund>): Promise<boolean> {
  const isFirst = refund.pendingReason !== 'insufficient_balance'
  const [made] = refund.holdId ? [] : await reserveEach(tx, [holdOf(refund, refund.updatedAt)])
  const holdId = refund.holdId ?? made?.id
  if (holdId) {
    const sent = { ...refund, holdId, pendingReason: null }
    writeRefunds(tx, instructRefunds(tx, parts, [sent]))
    return true
  }
  if (isFirst) {
    writeRefunds(tx, [{ ...refund, pendingReason: 'insufficient_balance' }])
    await giveUpLater(tx, refund)
  }
  return false
}

/** Schedules the job that fails a queued refund after 30 days on the Space's clock. */
export const giveUpLater = (tx: Tx, { scope, id, updatedAt }: Scoped<Refund>) =>
  schedule(tx, new Date(updatedAt.getTime() + longestWaitMs), 'refunds.give-up', { ...scope, refundId: id })

/** Jobs for refunds that are waiting for a sufficient balance. */
export function refundJobs(parts: Platform & RefundParts): Jobs {
  const { db, clock } = parts
  return {
    'refunds.take-up': async () => {
      for (const account of await selectShortAccounts(db)) {
        const { spaceId, environment } = account
        const at = clock.now({ spaceId, environment })
        while (await db.transaction((tx) => sendQueued(tx, parts, account, at)));
      }
    },
    'refunds.give-up': (payload) =>
      db.transaction(async (tx) => {
        const scope = scopeOf(payload)
        const [refund] = await lockRefunds(tx, [{ scope, id: String(payload.refundId) }])
        if (refund?.pendingReason !== 'insufficient_balance') return
        const failed = { refund, failure: insufficientBalanceFailure, at: clock.now(scope) }
        await applyLedgerWork(tx, await endRefunds(tx, 'failed', [failed]))
      }),
  }
}

/**
 * Sends the queued refunds of an account, oldest first, until the balance is insufficient. Returns whether
 * there may be more refunds to send.
 */
async function sendQueued(
  tx: Tx,
  parts: RefundParts,
  { accountId, ...scope }: Scope & { accountId: string },
  at: Date,
): Promise<boolean> {
  const waiting = await lockQueued(tx, { ...scope, accountId }, maxAtOnce)
  const payments = waiting.map(({ paymentId: id }) => ({ scope, id }))
  const contradicted = byGlobalName(await selectContradicted(tx, 'payment', payments))
  const isLost = ({ paymentId }: Refund) => contradicted.has(globalName(scope, paymentId))
  const lost = waiting
    .filter(isLost)
    .map((refund) => ({ refund: { ...refund, scope }, failure: neverArrivedFailure, at }))
  // This is done first, because it locks payments, which must be locked before any account.
  if (lost.length > 0) await endRefunds(tx, 'failed', lost)
  for (const refund of waiting.filter((one) => !isLost(one)))
    if (!(await sendOrQueue(tx, parts, { ...refund, scope, updatedAt: at }))) return false
  return waiting.length === maxAtOnce
}

const neverArrivedFailure = {
  code: 'unknown',
  message: 'The provider reports that the payment never arrived.',
} as const

const insufficientBalanceFailure = {
  code: 'fund_insufficient',
  message: 'The available balance did not cover the amount and its fee within 30 days.',
} as const
