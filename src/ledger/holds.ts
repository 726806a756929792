import assert from 'node:assert/strict'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { newId } from '../platform/ids.ts'
import { scheduleEach } from '../platform/jobs/queue.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import { type HeldAccount, type Hold, lockAccounts, lockHolds, writeHoldsOf } from './hold-store.ts'
import { type Movement, type Posting, postEach } from './postings.ts'

export type { Hold } from './hold-store.ts'

/** Money to reserve of an account, and for what. Minor units. */
export type NewHold = Scoped<{
  accountId: string
  amount: bigint
  owner: OwnerRef
  expiresAt?: Date | null
  at: Date
}>

/**
 * Reserves money of accounts, for many at once, of any Spaces, judged in their order: it stays posted there, and nothing
 * else can take it. Returns for each its hold, or nothing when less than that is available.
 */
export async function reserveEach(tx: Tx, newHolds: NewHold[]): Promise<(Hold | undefined)[]> {
  const accounts = byName(await lockAccounts(tx, newHolds.map(accountOf)))
  const touched = new Set<HeldAccount>()
  const results = newHolds.map((newHold) => {
    const account = accounts.get(nameIn(newHold.scope, newHold.accountId))
    if (!account || newHold.amount > available(account)) return undefined
    account.held += newHold.amount
    touched.add(account)
    return holdOf(newHold)
  })
  const holds = results.filter((hold) => hold !== undefined)
  if (holds.length === 0) return results
  await writeHoldsOf(tx, { holds, accounts: [...touched] })
  await scheduleExpiries(tx, holds)
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
 * Where the captured money of a hold goes: credits that sum to it, each a line of its own. What one `reverses` is said by
 * the debit beside it. `besides` moves with it, and sums to zero.
 */
export type Capture = Scoped<{
  id: string
  reference: string
  owners: OwnerRef[]
  credits: Movement[]
  besides?: Movement[]
  at: Date
}>

/** A hold whose remainder becomes free again. */
export type Release = Scoped<{ id: string; at: Date }>

/** What one step of a transaction does to the ledger: holds to release or capture, and postings of their own. */
export type LedgerWork = { releases?: Release[]; captures?: Capture[]; postings?: Posting[] }

/**
 * Does all the ledger work of a transaction at once, of any Spaces: locks the holds, then every account once, in the
 * global order. All of it must fit: an overdraft is thrown, as a bug of the caller.
 *
 * @throws Refusal `state_conflict` for a capture of more than is held, or of a hold that has expired
 */
export async function applyLedgerWork(tx: Tx, ...works: LedgerWork[]): Promise<void> {
  const releases = works.flatMap((work) => work.releases ?? [])
  const captures = works.flatMap((work) => work.captures ?? [])
  const holds = await lockHoldsOf(tx, [...releases, ...captures])
  const released = releases.flatMap((request, i) => releasedBy(must(holds[i], 'hold to release'), request))
  const captured = captures.map((request, i) => ({
    request,
    hold: must(holds[releases.length + i], 'hold to capture'),
  }))
  const postings = [
    ...captured.map(({ hold, request }) => postingOf(hold, request)),
    ...works.flatMap((work) => work.postings ?? []),
  ]
  await writeHoldsOf(tx, {
    holds: [
      ...released.map(({ hold }) => hold),
      ...captured.map(({ hold, request }) => capturedBy(hold, request)),
    ],
    accounts: released.length > 0 ? await lockForRelease(tx, released, postings) : [],
  })
  const posted = await postEach(tx, postings)
  assert(!posted.includes(false), 'a posting would overdraw an account')
}

/**
 * Captures a part of what is held, or all of it, and posts it; the rest stays held. For many at once, each of another hold,
 * of any Spaces: all of them, or it refuses.
 */
export const captureEach = (tx: Tx, captures: Capture[]): Promise<void> => applyLedgerWork(tx, { captures })

/** Releases what is still held; repeated, the same. For many at once, each of another hold, of any Spaces. */
export const releaseEach = (tx: Tx, releases: Release[]): Promise<void> => applyLedgerWork(tx, { releases })

/** The hold of each request, locked, in their order. */
async function lockHoldsOf(tx: Tx, requests: Scoped<{ id: string }>[]): Promise<Hold[]> {
  if (requests.length === 0) return []
  const locked = byName(await lockHolds(tx, requests))
  assert(byName(requests).size === requests.length, 'each is of another hold')
  return requests.map((request) => {
    const hold = locked.get(nameIn(request.scope, request.id))
    if (!hold) throw new Refusal('not_found')
    return hold
  })
}

/** Nothing where nothing is still held. */
const releasedBy = (hold: Hold, { at }: Release) =>
  remaining(hold) === 0n
    ? []
    : [{ amount: remaining(hold), hold: { ...hold, released: hold.amount - hold.captured, updatedAt: at } }]

/** The accounts of released holds, with what is then held. Also locks those of the postings that follow. */
async function lockForRelease(
  tx: Tx,
  released: { amount: bigint; hold: Hold }[],
  postings: Posting[],
): Promise<HeldAccount[]> {
  const posted = postings.flatMap(({ scope, movements }) =>
    movements.map(({ accountId }) => ({ scope, accountId })),
  )
  const holds = released.map(({ hold }) => hold)
  const accounts = byName(await lockAccounts(tx, [...holds, ...posted].map(accountOf)))
  const touched = released.map(({ amount, hold }) => {
    const account = must(accounts.get(nameIn(hold.scope, hold.accountId)), 'account of a hold')
    account.held -= amount
    return account
  })
  return [...new Set(touched)]
}

function capturedBy(hold: Hold, { credits, at }: Capture): Hold {
  const amount = credits.reduce((sum, credit) => sum + credit.amount, 0n)
  if (isExpired(hold, at) || amount <= 0n || amount > remaining(hold)) throw new Refusal('state_conflict')
  return { ...hold, captured: hold.captured + amount, updatedAt: at }
}

/** Each credit has its debit beside it, so that a fee can be distinguished on both sides. */
function postingOf(hold: Hold, { credits, besides = [], ...posting }: Capture): Posting {
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
  return { ...posting, movements: [...movements, ...besides] }
}

const accountOf = ({ scope, accountId: id }: Scoped<{ accountId: string }>) => ({ scope, id })
const remaining = ({ amount, captured, released }: Hold) => amount - captured - released
const isExpired = ({ expiresAt }: Hold, at: Date) => expiresAt !== null && at >= expiresAt

/** Releases what is left of a hold that has expired. */
export async function expireHold(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const [hold] = await lockHolds(tx, [{ scope, id }])
  if (!hold) return
  // Another node's clock may be a little ahead of this one's.
  if (isExpired(hold, at)) await releaseEach(tx, [{ scope, id, at }])
  else await scheduleExpiries(tx, [hold])
}

async function scheduleExpiries(tx: Tx, holds: Hold[]): Promise<void> {
  const jobs = holds.flatMap(({ scope, id, expiresAt }) =>
    expiresAt ? [{ dueAt: expiresAt, job: 'ledger.expire-hold', payload: { ...scope, holdId: id } }] : [],
  )
  if (jobs.length > 0) await scheduleEach(tx, jobs)
}
