import { type NewEvent, publish } from '../events/events.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { schedule } from '../platform/jobs/queue.ts'
import { Refusal } from '../platform/refusals.ts'
import { ownerOf, ownershipGraph } from '../spaces/ownership.ts'
import { type Posting, postEach } from './postings.ts'
import { newReference } from './reference.ts'
import {
  lockTransfers,
  selectTransfer,
  type Transfer,
  type TransferFailure,
  updateTransfers,
} from './transfer-store.ts'

export type { Transfer } from './transfer-store.ts'

// pending → processing → completed | failed, and pending → failed when cancelled. One of now is made and ends in the same
// moment; one that is planned waits as pending.

/** No real account comes near it. */
export const beyondCount = 'An account would hold more than can be counted.'

const failureMessages: Record<TransferFailure, string> = {
  fund_insufficient: 'The source account has less than this available.',
  cancelled: 'The transfer was cancelled before it was due.',
  unknown: beyondCount,
}

export const completed = (transfer: Transfer, reference: string): Transfer => ({
  ...transfer,
  status: 'completed',
  ledgerReference: reference,
})

const failed = (transfer: Transfer, failureCode: TransferFailure): Transfer => ({
  ...transfer,
  status: 'failed',
  ledgerReference: null,
  failureCode,
})

/** The lines of a completed transfer. */
export const postingOf = (transfer: Transfer): Posting => ({
  reference: transfer.ledgerReference!,
  at: transfer.updatedAt,
  owners: [ownerOf('internal_transfer', transfer)],
  movements: [
    { accountId: transfer.sourceAccountId, amount: -transfer.amount },
    { accountId: transfer.destinationAccountId, amount: transfer.amount },
  ],
})

/** Posts transfers, judged in their order, and answers how each ended: the rows are the caller's to write. */
export async function settle(tx: Tx, scope: Scope, transfers: Transfer[]): Promise<Transfer[]> {
  const hoped = transfers.map((transfer) => completed(transfer, newReference(transfer.updatedAt)))
  const posted = await postEach(tx, scope, hoped.map(postingOf))
  return hoped.map((transfer, i) => (posted[i] ? transfer : failed(transfer, 'fund_insufficient')))
}

export const scheduleExecution = (tx: Tx, scope: Scope, { id, executeAt }: Transfer) =>
  schedule(tx, executeAt!, 'internal-transfers.execute', { ...scope, transferId: id })

/** The first half of a planned transfer: from here on it cannot be cancelled. Answers whether it is under way. */
export async function beginTransfer(tx: Tx, scope: Scope, id: string, at: Date): Promise<boolean> {
  const transfer = await selectTransfer(tx, scope, id, sql`for update`)
  if (!transfer) return false
  // Another node's clock may be a little ahead of this one's.
  if (transfer.status === 'pending' && transfer.executeAt! > at) {
    await scheduleExecution(tx, scope, transfer)
    return false
  }
  if (transfer.status === 'pending')
    await updateTransfers(tx, scope, [{ ...transfer, status: 'processing', updatedAt: at }])
  return transfer.status === 'pending' || transfer.status === 'processing'
}

/** The second half, for many at once: those under way are posted, in order of creation. */
export async function executeTransfers(tx: Tx, scope: Scope, ids: string[], at: Date): Promise<void> {
  const underWay = (await lockTransfers(tx, scope, ids)).filter(({ status }) => status === 'processing')
  if (underWay.length === 0) return
  const ended = await settle(
    tx,
    scope,
    underWay.map((transfer) => ({ ...transfer, updatedAt: at })),
  )
  await updateTransfers(tx, scope, ended)
  await publish(tx, scope, ...ended.map((transfer) => endEvent(scope, transfer)))
}

/** One that was under way and that an account cannot count. */
export async function failUncountable(tx: Tx, scope: Scope, ids: string[], at: Date): Promise<void> {
  const underWay = (await lockTransfers(tx, scope, ids)).filter(({ status }) => status === 'processing')
  const ended = underWay.map((transfer) => ({ ...failed(transfer, 'unknown'), updatedAt: at }))
  if (ended.length === 0) return
  await updateTransfers(tx, scope, ended)
  await publish(tx, scope, ...ended.map((transfer) => endEvent(scope, transfer)))
}

/** Cancels a transfer that still waits; repeated, the same. */
export async function cancelTransfer(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const transfer = await lockTransfer(tx, scope, id)
  if (transfer.failureCode === 'cancelled') return
  if (transfer.status !== 'pending') throw new Refusal('state_conflict')
  const cancelled = { ...failed(transfer, 'cancelled'), updatedAt: at }
  await updateTransfers(tx, scope, [cancelled])
  await publish(tx, scope, endEvent(scope, cancelled))
}

export type TransferChange = { description?: string | null; metadata?: Metadata | null }

/** Changes the named fields only. */
export async function changeTransfer(tx: Tx, scope: Scope, id: string, change: TransferChange, at: Date) {
  const transfer = await lockTransfer(tx, scope, id)
  const changed: Transfer = {
    ...transfer,
    ...(change.description !== undefined && { description: change.description || null }),
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await updateTransfers(tx, scope, [changed])
  return changed
}

async function lockTransfer(tx: Tx, scope: Scope, id: string): Promise<Transfer> {
  const transfer = await selectTransfer(tx, scope, id, sql`for update`)
  if (!transfer) throw new Refusal('not_found')
  return transfer
}

const endEvent = (scope: Scope, transfer: Transfer): NewEvent => ({
  types: [transfer.status === 'completed' ? 'internal_transfer.completed' : 'internal_transfer.failed'],
  objectId: transfer.id,
  data: presentTransfer(scope, transfer),
  at: transfer.updatedAt,
})

/** The resource as the API shows it. */
export function presentTransfer({ spaceId }: Scope, transfer: Transfer) {
  return {
    id: showId('internalTransfer', transfer.id),
    status: transfer.status,
    amount: { currency: transfer.currency, value: wholeNumber(transfer.amount) },
    sourceFinancialAccount: { id: showId('financialAccount', transfer.sourceAccountId) },
    destinationFinancialAccount: { id: showId('financialAccount', transfer.destinationAccountId) },
    financialTransactionReference: transfer.ledgerReference,
    description: transfer.description,
    failureDetail: transfer.failureCode
      ? { code: transfer.failureCode, message: failureMessages[transfer.failureCode] }
      : null,
    executeTime: transfer.executeAt?.toISOString() ?? null,
    createTime: transfer.createdAt.toISOString(),
    updateTime: transfer.updatedAt.toISOString(),
    ownershipGraph: ownershipGraph(spaceId, []),
    metadata: transfer.metadata,
  }
}
