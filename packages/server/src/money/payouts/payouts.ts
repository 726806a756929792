import assert from 'node:assert/strict'
import type { Failure } from '@pesewa/connector-kit'
import { applyLedgerWork, type LedgerWork } from '../../ledger/accounts/holds.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { accountFields } from '../../rails/connections/account.ts'
import { type Admit, withdraw } from '../../rails/instructions/instructions.ts'
import {
  failedBy,
  openTransactionRows,
  presentTransaction,
} from '../../rails/instructions/transaction-rows.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { erased, erasedMask } from '../../tenants/retention/person.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { type Decision, decide, presentApproval } from '../approvals/approvals.ts'
import { batchIds, payoutIds } from './resources.ts'
import { lockPayouts, type Payout, writePayouts } from './store.ts'

export const payoutRows = openTransactionRows<Payout>({
  noun: 'payout',
  lock: lockPayouts,
  write: writePayouts,
  present: (payout) => presentPayout(payout.scope, payout),
})

/** Dependencies of the slice. */
export type PayoutParts = Platform & Providers & { queues: { admit: Admit } }

/**
 * Instructs providers to send the given payouts. The time of each instruction is that of the payout's last
 * change. Returns the rows to be written.
 */
export const instructPayouts = (tx: Tx, { queues }: PayoutParts, payouts: Scoped<Payout>[]) =>
  payoutRows.instruct(tx, queues, payouts, (payout) => ({
    kind: 'disburse',
    account: payout.payeeAccount,
    description: 'Payout',
    createdAt: payout.updatedAt,
  }))

/** Returns the payout, locked until the transaction ends. */
export const lockPayout = async (tx: Tx, scope: Scope, id: string) =>
  existing((await lockPayouts(tx, [{ scope, id }]))[0])

/**
 * Approves a payout and sends it, or rejects it, in which case it fails. The same user may repeat the decision
 * without further effect. The user who created the payout is refused.
 */
export async function decidePayout(
  tx: Tx,
  parts: PayoutParts,
  scope: Scope,
  id: string,
  decision: Decision,
  at: Date,
): Promise<Payout> {
  const payout = await lockPayout(tx, scope, id)
  const decided = await decide(tx, 'payout', sql`payouts`, payout, decision, at)
  if (!decided) return payout
  if (decided.approval === 'rejected')
    await applyLedgerWork(tx, failPayouts(tx, [{ payout: decided, failure: rejected, at }]))
  else writePayouts(tx, instructPayouts(tx, parts, [decided]))
  return lockPayout(tx, scope, id)
}

const rejected = { code: 'rejected', message: 'The payout was not approved.' } as const

export type PayoutChange = { metadata?: Metadata | null }

/** Changes the fields of a payout that are present in `change`, and no others. */
export async function changePayout(tx: Tx, scope: Scope, id: string, change: PayoutChange, at: Date) {
  const payout = await lockPayout(tx, scope, id)
  const metadata = change.metadata === undefined ? payout.metadata : (change.metadata ?? {})
  const changed = { ...payout, metadata, updatedAt: at }
  writePayouts(tx, [changed])
  return changed
}

/** Cancels a payout that has not been submitted. Cancelling it again has no effect. */
export async function cancelPayout(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const isWithdrawn = await withdraw(tx, scope, id)
  const payout = await lockPayout(tx, scope, id)
  if (payout.failureCode === 'cancelled') return
  if (!isWithdrawn || payout.status !== 'pending') throw new Refusal('state_conflict')
  await applyLedgerWork(tx, failPayouts(tx, [{ payout, failure: cancelled, at }]))
}

const cancelled = { code: 'cancelled', message: 'The payout was cancelled before it was sent.' } as const

type FailedPayout = { payout: Scoped<Payout>; failure: Failure; at: Date }

/**
 * Sets payouts to failed, because no money has moved or will move. The payouts must be locked and must not have
 * ended. Returns the releases of their holds, which the caller must apply.
 */
export function failPayouts(tx: Tx, failed: FailedPayout[]): LedgerWork {
  const payouts = failed.map(({ payout, failure, at }) => ({ ...payout, ...failedBy(failure, at) }))
  payoutRows.save(tx, 'payout.failed', payouts)
  const releases = failed.map(({ payout: { scope, holdId }, at }) => {
    assert(holdId, 'a payout that has not ended has a hold')
    return { scope, id: holdId, at }
  })
  return { releases }
}

/**
 * Returns the payout as an API resource. The payee's account is shown in full, since approvers must see where
 * the money goes.
 */
export function presentPayout({ spaceId }: Scope, payout: Payout) {
  const { amount, fees, failureDetail } = presentTransaction(payout)
  return {
    id: showId(payoutIds, payout.id),
    status: payout.status,
    amount,
    source: {
      financialAccountId: showId(accountIds, payout.financialAccountId),
      transactionReference: payout.ledgerReference,
    },
    destination: {
      ...shownPayee(payout),
      transactionReference: payout.railTransaction,
    },
    fees,
    failureDetail,
    approval: presentApproval(payout),
    batchId: payout.batchId && showId(batchIds, payout.batchId),
    createUserId: showId(userIds, payout.createdBy),
    ...presentOwned(spaceId, payout),
  }
}

/** Returns the payee as shown in the API, with the account in the field for its type. */
export const shownPayee = ({
  destinationType: type,
  providerId,
  payeeAccount,
}: Pick<Payout, 'destinationType' | 'providerId' | 'payeeAccount'>) => ({
  type,
  providerId,
  [accountFields[type]]: payeeAccount === erased ? erasedMask : payeeAccount,
})
