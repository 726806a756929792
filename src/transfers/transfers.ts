import { type EventType, type NewEvent, publishEach } from '../events/events.ts'
import { type Posting, postEach } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { scheduleEach } from '../platform/jobs/queue.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { ownerOf, ownershipGraph } from '../spaces/ownership.ts'
import { transferIds } from './resources.ts'
import {
  lockTransfers,
  selectTransfer,
  type Transfer,
  type TransferFailure,
  updateTransfers,
} from './store.ts'

export type { Transfer } from './store.ts'

// pending → processing → completed | failed, and pending → failed when cancelled. An immediate transfer is made and ends in
// the same moment; a planned one waits as pending.

/** No real account comes near it. */
export const beyondCount = 'An account would hold more than can be counted.'

const failureMessages: Record<TransferFailure, string> = {
  fund_insufficient: 'The source account has less than this available.',
  cancelled: 'The transfer was cancelled before it was due.',
  unknown: beyondCount,
}

export const completed = (transfer: Scoped<Transfer>, reference: string): Scoped<Transfer> => ({
  ...transfer,
  status: 'completed',
  ledgerReference: reference,
})

const failed = (transfer: Scoped<Transfer>, failureCode: TransferFailure): Scoped<Transfer> => ({
  ...transfer,
  status: 'failed',
  ledgerReference: null,
  failureCode,
})

/** The lines of a completed transfer. */
export const postingOf = (transfer: Scoped<Transfer>): Posting => ({
  scope: transfer.scope,
  reference: must(transfer.ledgerReference, 'reference of a completed transfer'),
  at: transfer.updatedAt,
  owners: [ownerOf('internal_transfer', transfer)],
  movements: [
    { accountId: transfer.sourceAccountId, amount: -transfer.amount },
    { accountId: transfer.destinationAccountId, amount: transfer.amount },
  ],
})

/** Posts transfers, judged in their order, and returns them as they ended: the caller writes their rows. */
export async function settle(tx: Tx, transfers: Scoped<Transfer>[]): Promise<Scoped<Transfer>[]> {
  const covered = transfers.map((transfer) => completed(transfer, newReference(transfer.updatedAt)))
  const posted = await postEach(tx, covered.map(postingOf))
  return covered.map((transfer, i) => (posted[i] ? transfer : failed(transfer, 'fund_insufficient')))
}

export async function scheduleExecutions(tx: Tx, planned: Scoped<Transfer>[]): Promise<void> {
  const jobs = planned.map(({ scope, id, executeAt }) => ({
    dueAt: must(executeAt, 'time of a planned transfer'),
    job: 'internal-transfers.execute',
    payload: { ...scope, transferId: id },
  }))
  if (jobs.length > 0) await scheduleEach(tx, jobs)
}

/** The first half of a planned transfer: from here on it cannot be cancelled. Returns whether it is under way. */
export async function beginTransfer(tx: Tx, scope: Scope, id: string, at: Date): Promise<boolean> {
  const transfer = await selectTransfer(tx, scope, id, sql`for update`)
  if (!transfer) return false
  // Another node's clock may be a little ahead of this one's.
  if (transfer.status === 'pending' && transfer.executeAt && transfer.executeAt > at) {
    await scheduleExecutions(tx, [{ ...transfer, scope }])
    return false
  }
  if (transfer.status === 'pending')
    await updateTransfers(tx, [{ ...transfer, scope, status: 'processing', updatedAt: at }])
  return transfer.status === 'pending' || transfer.status === 'processing'
}

/** A transfer that is due, and the time by its Space's clock. */
type DueTransfer = Scoped<{ id: string; at: Date }>

/** The second half, for many at once: those under way are posted, in order of creation. */
export async function executeTransfers(tx: Tx, due: DueTransfer[]): Promise<void> {
  await endEach(tx, await settle(tx, await lockUnderWay(tx, due)))
}

/** Fails one that was under way, and that would bring an account beyond its range. */
export async function failUncountable(tx: Tx, due: DueTransfer): Promise<void> {
  await endEach(
    tx,
    (await lockUnderWay(tx, [due])).map((transfer) => failed(transfer, 'unknown')),
  )
}

/** Those that are under way, as of now. */
async function lockUnderWay(tx: Tx, due: DueTransfer[]): Promise<Scoped<Transfer>[]> {
  const dueByName = byName(due)
  const transfers = await lockTransfers(tx, due)
  return transfers
    .filter(({ status }) => status === 'processing')
    .map((transfer) => {
      const { at } = must(dueByName.get(nameIn(transfer.scope, transfer.id)), 'time of a transfer')
      return { ...transfer, updatedAt: at }
    })
}

async function endEach(tx: Tx, ended: Scoped<Transfer>[]): Promise<void> {
  if (ended.length === 0) return
  await updateTransfers(tx, ended)
  publishEach(
    tx,
    ended.map((transfer) => eventOf(transfer, endTypeOf(transfer))),
  )
}

export const endTypeOf = ({ status }: Transfer): EventType =>
  status === 'completed' ? 'internal_transfer.completed' : 'internal_transfer.failed'

export const eventOf = (transfer: Scoped<Transfer>, ...types: NewEvent['types']): Scoped<NewEvent> => ({
  scope: transfer.scope,
  types,
  objectId: transfer.id,
  data: presentTransfer(transfer.scope, transfer),
  at: transfer.updatedAt,
})

/** Cancels a transfer that still waits; repeated, the same. */
export async function cancelTransfer(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const transfer = await lockTransfer(tx, scope, id)
  if (transfer.failureCode === 'cancelled') return
  if (transfer.status !== 'pending') throw new Refusal('state_conflict')
  await endEach(tx, [{ ...failed({ ...transfer, scope }, 'cancelled'), updatedAt: at }])
}

export type TransferChange = { description?: string | null; metadata?: Metadata | null }

/** Changes the named fields only. */
export async function changeTransfer(tx: Tx, scope: Scope, id: string, change: TransferChange, at: Date) {
  const transfer = await lockTransfer(tx, scope, id)
  const changed: Scoped<Transfer> = {
    ...transfer,
    scope,
    ...(change.description !== undefined && { description: change.description || null }),
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await updateTransfers(tx, [changed])
  return changed
}

async function lockTransfer(tx: Tx, scope: Scope, id: string): Promise<Transfer> {
  const transfer = await selectTransfer(tx, scope, id, sql`for update`)
  if (!transfer) throw new Refusal('not_found')
  return transfer
}

/** The resource as the API shows it. */
export function presentTransfer({ spaceId }: Scope, transfer: Transfer) {
  return {
    id: showId(transferIds, transfer.id),
    status: transfer.status,
    amount: { currency: transfer.currency, value: wholeNumber(transfer.amount) },
    sourceFinancialAccount: { id: showId(accountIds, transfer.sourceAccountId) },
    destinationFinancialAccount: { id: showId(accountIds, transfer.destinationAccountId) },
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
