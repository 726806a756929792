import assert from 'node:assert/strict'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { newId } from '../platform/ids.ts'
import { scheduleEach } from '../platform/jobs/queue.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import {
  type HeldAccount,
  type Hold,
  lockAccounts,
  lockHolds,
  writeHolds,
  writeHoldsOf,
} from './hold-store.ts'
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
  await writeHoldsOf(tx, holds, [...touched])
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

/**
 * Takes a part of what is held, or all of it, and posts it; the rest stays held. For many at once, each of another hold,
 * of any Spaces: all of them, or it refuses, as it does more than is held, and a hold that has expired.
 */
export async function captureEach(tx: Tx, captures: Capture[]): Promise<Hold[]> {
  if (captures.length === 0) return []
  const locked = await lockHoldsOf(tx, captures)
  const captured = locked.map(({ hold, request }) => capturedBy(hold, request))
  await writeHolds(tx, captured)
  const posted = await postEach(
    tx,
    locked.map(({ hold, request }) => postingOf(hold, request)),
  )
  if (!posted.every((isPosted) => isPosted)) throw new Error('money that was held was not there')
  return captured
}

/** The hold of each request, locked, in their order. */
async function lockHoldsOf<Request extends Scoped<{ id: string }>>(
  tx: Tx,
  requests: Request[],
): Promise<{ hold: Hold; request: Request }[]> {
  const locked = byName(await lockHolds(tx, requests))
  assert(byName(requests).size === requests.length, 'each is of another hold')
  return requests.map((request) => {
    const hold = locked.get(nameIn(request.scope, request.id))
    if (!hold) throw new Refusal('not_found')
    return { hold, request }
  })
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

/** Frees what is still held; repeated, the same. For many at once, each of another hold, of any Spaces. Returns how much. */
export async function releaseEach(tx: Tx, requests: Scoped<{ id: string; at: Date }>[]): Promise<bigint[]> {
  if (requests.length === 0) return []
  const locked = await lockHoldsOf(tx, requests)
  const holds = locked.map(({ hold }) => hold)
  const open = locked.flatMap(({ hold, request }) =>
    remaining(hold) > 0n ? [{ ...hold, released: hold.amount - hold.captured, updatedAt: request.at }] : [],
  )
  if (open.length === 0) return requests.map(() => 0n)
  const accounts = byName(await lockAccounts(tx, holds.map(accountOf)))
  for (const hold of holds)
    must(accounts.get(nameIn(hold.scope, hold.accountId)), 'account of a hold').held -= remaining(hold)
  await writeHoldsOf(tx, open, [...accounts.values()])
  return holds.map(remaining)
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
