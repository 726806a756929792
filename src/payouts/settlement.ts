import assert from 'node:assert/strict'
import { type SystemPurpose, systemAccount } from '../ledger/accounts.ts'
import { type Capture, captureEach, release } from '../ledger/holds.ts'
import { openLateFailure, openLateSuccess } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import type { FailureCode } from '../providers/connector.ts'
import { firstLook, scheduleLook } from '../providers/second-looks.ts'
import { ownerOf } from '../spaces/ownership.ts'
import { publishPayouts } from './payouts.ts'
import { moved } from './states.ts'
import { lockPayouts, type Payout, writePayouts } from './store.ts'

/**
 * `late_success`: it had been called failed; what left is missing in suspense, and a case is open. `late_failure`: it had
 * been completed by hand; what never left stands in suspense, and a case is open.
 */
export type Ending = 'completed' | 'failed' | 'late_success' | 'late_failure' | 'unchanged'

/** The rail says that this payout's money moved. `railTransaction`: its own number of it, when it told one. */
export type PaidOut = { id: string; railTransaction: string | undefined }

/** Books a payout whose money moved, once; see `completePayouts`. */
export async function completePayout(
  tx: Tx,
  scope: Scope,
  id: string,
  { railTransaction }: Omit<PaidOut, 'id'>,
  at: Date,
): Promise<Ending> {
  return (await completePayouts(tx, scope, [{ id, railTransaction }], at))[0]!
}

/**
 * Books payouts whose money moved, each once, all of one Space. One that was called failed stays failed: what left is
 * missing in suspense and a case is opened. Callback, query and operator may all come here: the state decides who was
 * first.
 */
export async function completePayouts(tx: Tx, scope: Scope, paid: PaidOut[], at: Date): Promise<Ending[]> {
  const ids = paid.map(({ id }) => id)
  const byId = new Map((await lockPayouts(tx, scope, ids)).map((payout) => [payout.id, payout]))
  const clearingOf = createClearing(tx, scope, at)
  const completed = new Map<string, Payout>()
  const endings: Ending[] = []
  for (const { id, railTransaction = null } of paid) {
    const payout = byId.get(id)
    const ended = payout && !completed.has(id) && moved(payout, 'succeeded', at)
    if (ended) {
      completed.set(id, { ...ended, railTransaction, ledgerReference: newReference(at) })
      endings.push('completed')
    } else
      endings.push(
        payout && (await openCase(tx, scope, payout, clearingOf, at)) ? 'late_success' : 'unchanged',
      )
  }
  const captures: Parameters<typeof captureEach>[1] = []
  for (const payout of completed.values()) {
    const capture = await captureOf(tx, scope, payout, await clearingOf(payout), at)
    captures.push({ ...capture, scope, id: payout.holdId!, at })
  }
  await captureEach(tx, captures)
  await writePayouts(tx, scope, [...completed.values()])
  await publishPayouts(tx, scope, 'payout.completed', [...completed.values()])
  return endings
}

type ClearingOf = (payout: Pick<Payout, 'providerId' | 'currency'>) => Promise<string>

/** Of one that failed after the rail had been told of it. Answers whether a case was opened now. */
async function openCase(tx: Tx, scope: Scope, payout: Payout, clearingOf: ClearingOf, at: Date) {
  const { status, submittedAt, amount, currency } = payout
  if (status !== 'failed' || submittedAt === null) return false
  const object = ownerOf('payout', payout)
  const clearingAccountId = await clearingOf(payout)
  return openLateSuccess(
    tx,
    scope,
    { object, direction: 'disbursement', clearingAccountId, amount, currency },
    at,
  )
}

/** The rail says that money never left for a payout that a person had called completed. */
export async function contradictCompleted(tx: Tx, scope: Scope, payout: Payout, at: Date): Promise<Ending> {
  const { amount, currency, providerId } = payout
  const object = ownerOf('payout', payout)
  const clearingAccountId = await createClearing(tx, scope, at)({ providerId, currency })
  const found = { object, direction: 'disbursement' as const, clearingAccountId, amount, currency }
  return (await openLateFailure(tx, scope, found, at)) ? 'late_failure' : 'unchanged'
}

/** The amount to the rail, and each fee to the service, as lines of their own under one reference. */
async function captureOf(
  tx: Tx,
  scope: Scope,
  payout: Payout,
  clearingAccountId: string,
  at: Date,
): Promise<Capture> {
  const credits: Capture['credits'] = [{ accountId: clearingAccountId, amount: payout.amount }]
  for (const { code, amount } of payout.fees)
    credits.push({
      accountId: await systemAccount(tx, scope, 'fees', payout.currency, at),
      amount: BigInt(amount),
      feeCode: code,
    })
  return { reference: payout.ledgerReference!, owners: [ownerOf('payout', payout)], credits }
}

/** The service's account at each provider, looked up once. */
function createClearing(tx: Tx, scope: Scope, at: Date): ClearingOf {
  const known = new Map<string, Promise<string>>()
  return ({ providerId, currency }) => {
    const purpose: SystemPurpose = `clearing ${providerId} disbursement`
    const name = `${purpose} ${currency}`
    const found = known.get(name) ?? systemAccount(tx, scope, purpose, currency, at)
    known.set(name, found)
    return found
  }
}

/** No money moved, or none will: what was held is free again. */
export async function failPayout(
  tx: Tx,
  scope: Scope,
  id: string,
  failure: { code: FailureCode; message: string },
  at: Date,
): Promise<Ending> {
  const [payout] = await lockPayouts(tx, scope, [id])
  const ended = payout && moved(payout, 'failed', at)
  if (!ended) return 'unchanged'
  assert(ended.holdId, 'what has not ended has a hold')
  await release(tx, scope, ended.holdId, at)
  const failed: Payout = { ...ended, failureCode: failure.code, failureMessage: failure.message }
  await writePayouts(tx, scope, [failed])
  await publishPayouts(tx, scope, 'payout.failed', [failed])
  if (failed.submittedAt) await scheduleSecondLook(tx, scope, id, at)
  return 'failed'
}

export const scheduleSecondLook = (tx: Tx, scope: Scope, payoutId: string, at: Date, look = firstLook) =>
  scheduleLook(tx, 'payouts.query', { ...scope, payoutId }, look, at)
