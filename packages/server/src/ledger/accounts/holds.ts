import assert from 'node:assert/strict'
import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { newId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { type HeldAccount, type Hold, lockAccounts, lockHolds, writeHolds } from './hold-store.ts'
import { type Movement, type Posting, postEach } from './postings.ts'

/** The amount to reserve in an account, in minor units, and its purpose. */
export type NewHold = Scoped<{
  accountId: string
  amount: bigint
  owner: OwnerRef
  expiresAt?: Date | null
  at: Date
}>

/**
 * Reserves money in several accounts, which may belong to different Spaces, in the given order. The money
 * remains posted, but nothing else can use it. Returns each hold, or `undefined` if the available balance is
 * too low for it.
 */
export async function reserveEach(tx: Tx, newHolds: NewHold[]): Promise<(Hold | undefined)[]> {
  const accounts = byGlobalName(await lockAccounts(tx, newHolds.map(accountOf)))
  const touched = new Set<HeldAccount>()
  const results = newHolds.map((newHold) => {
    const account = accounts.get(globalName(newHold.scope, newHold.accountId))
    if (!account || newHold.amount > available(account)) return undefined
    account.held += newHold.amount
    touched.add(account)
    return holdOf(newHold)
  })
  const holds = results.filter((hold) => hold !== undefined)
  if (holds.length === 0) return results
  writeHolds(tx, { holds, accounts: [...touched] })
  scheduleExpiries(tx, holds)
  return results
}

const boundless = 2n ** 63n - 1n
const available = ({ allowsNegative, posted, held }: HeldAccount) =>
  allowsNegative ? boundless - held : posted - held

const holdOf = ({ scope, accountId, amount, owner, expiresAt = null, at }: NewHold): Hold => ({
  scope,
  id: newId(at),
  accountId,
  amount,
  captured: 0n,
  released: 0n,
  owner,
  expiresAt,
  createdAt: at,
  updatedAt: at,
})

/**
 * Describes where the money of a hold goes when it is captured: a list of credits, each of which becomes a
 * line. Their sum is the captured amount. If a credit has `reverses`, this is recorded on its debit.
 * `extraMovements` are posted in addition and sum to zero.
 */
export type Capture = Scoped<{
  id: string
  reference: string
  owners: OwnerRef[]
  credits: Movement[]
  extraMovements?: Movement[]
  at: Date
}>

/** A hold to release. The money that is still held becomes available. */
export type Release = Scoped<{ id: string; at: Date }>

/** The ledger work of one step of a transaction: holds to release, holds to capture, and separate postings. */
export type LedgerWork = { releases?: Release[]; captures?: Capture[]; postings?: Posting[] }

/**
 * Does all the ledger work of a transaction together, for any number of Spaces: locks the holds, and then locks
 * each account once in the global order. Throws if an account would be overdrawn, which is a bug in the caller.
 *
 * See docs/decisions/0031-ledger-post.md.
 *
 * @throws Refusal `state_conflict` if a capture exceeds its hold or the hold has expired
 */
export async function applyLedgerWork(tx: Tx, ...works: LedgerWork[]): Promise<void> {
  const releases = works.flatMap((work) => work.releases ?? [])
  const captures = works.flatMap((work) => work.captures ?? [])
  const holds = await lockRequestedHolds(tx, [...releases, ...captures])
  const released = releases.flatMap((request, i) => planRelease(must(holds[i], 'hold to release'), request))
  const captured = captures.map((request, i) => ({
    request,
    hold: must(holds[releases.length + i], 'hold to capture'),
  }))
  const postings = [
    ...captured.map(({ hold, request }) => postingOf(hold, request)),
    ...works.flatMap((work) => work.postings ?? []),
  ]
  writeHolds(tx, {
    holds: [
      ...released.map(({ hold }) => hold),
      ...captured.map(({ hold, request }) => applyCapture(hold, request)),
    ],
    accounts: released.length > 0 ? await lockForRelease(tx, released, postings) : [],
  })
  const posted = await postEach(tx, postings)
  assert(!posted.includes(false), 'a posting would overdraw an account')
}

/**
 * Captures and posts all or part of each hold; the rest remains held. The holds must be distinct and may belong
 * to different Spaces. Captures either all of them or none.
 */
export const captureEach = (tx: Tx, captures: Capture[]): Promise<void> => applyLedgerWork(tx, { captures })

/**
 * Releases the money that is still held by each hold. The holds must be distinct and may belong to different
 * Spaces. Releasing a hold again has no effect.
 */
export const releaseEach = (tx: Tx, releases: Release[]): Promise<void> => applyLedgerWork(tx, { releases })

/** Locks the hold of each request. Returns the holds in the order of the requests. */
async function lockRequestedHolds(tx: Tx, requests: Scoped<{ id: string }>[]): Promise<Hold[]> {
  if (requests.length === 0) return []
  const locked = byGlobalName(await lockHolds(tx, requests))
  assert(byGlobalName(requests).size === requests.length, 'each request needs its own hold')
  return requests.map((request) => {
    const hold = locked.get(globalName(request.scope, request.id))
    if (!hold) throw new Refusal('not_found')
    return hold
  })
}

/** Returns a release of the money that is still held, or an empty list if there is none. */
const planRelease = (hold: Hold, { at }: Release) =>
  remaining(hold) === 0n
    ? []
    : [{ amount: remaining(hold), hold: { ...hold, released: hold.amount - hold.captured, updatedAt: at } }]

/**
 * Locks the accounts of the released holds and of the postings that follow. Returns the accounts of the holds
 * with their new held amounts.
 */
async function lockForRelease(
  tx: Tx,
  released: { amount: bigint; hold: Hold }[],
  postings: Posting[],
): Promise<HeldAccount[]> {
  const posted = postings.flatMap(({ scope, movements }) =>
    movements.map(({ accountId }) => ({ scope, accountId })),
  )
  const holds = released.map(({ hold }) => hold)
  const accounts = byGlobalName(await lockAccounts(tx, [...holds, ...posted].map(accountOf)))
  const touched = released.map(({ amount, hold }) => {
    const account = must(accounts.get(globalName(hold.scope, hold.accountId)), 'account of a hold')
    account.held -= amount
    return account
  })
  return [...new Set(touched)]
}

function applyCapture(hold: Hold, { credits, at }: Capture): Hold {
  const amount = credits.reduce((sum, credit) => sum + credit.amount, 0n)
  if (isExpired(hold, at) || amount <= 0n || amount > remaining(hold)) throw new Refusal('state_conflict')
  return { ...hold, captured: hold.captured + amount, updatedAt: at }
}

/**
 * Builds the posting of a capture, in which each credit has a separate debit, so that fees can be identified on
 * both sides.
 */
function postingOf(hold: Hold, { credits, extraMovements = [], ...posting }: Capture): Posting {
  const movements = credits.flatMap(({ reverses, ...credit }) => [
    {
      ...credit,
      ...(reverses && { reverses }),
      accountId: hold.accountId,
      amount: -credit.amount,
      release: credit.amount,
    },
    credit,
  ])
  return { ...posting, movements: [...movements, ...extraMovements] }
}

const accountOf = ({ scope, accountId: id }: Scoped<{ accountId: string }>) => ({ scope, id })
const remaining = ({ amount, captured, released }: Hold) => amount - captured - released
const isExpired = ({ expiresAt }: Hold, at: Date) => expiresAt !== null && at >= expiresAt

/** Releases the money that is still held by an expired hold. */
export async function expireHold(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const [hold] = await lockHolds(tx, [{ scope, id }])
  if (!hold) return
  // The clock of another node may be slightly ahead of this node's clock.
  if (isExpired(hold, at)) await releaseEach(tx, [{ scope, id, at }])
  else scheduleExpiries(tx, [hold])
}

function scheduleExpiries(tx: Tx, holds: Hold[]): void {
  const jobs = holds.flatMap(({ scope, id, expiresAt }) =>
    expiresAt ? [{ dueAt: expiresAt, job: 'ledger.expire-hold', payload: { ...scope, holdId: id } }] : [],
  )
  if (jobs.length > 0) scheduleEach(tx, jobs)
}
