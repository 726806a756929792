import assert from 'node:assert/strict'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { newId } from '../platform/ids.ts'
import { scheduleEach } from '../platform/jobs/queue.ts'
import { must, only } from '../platform/must.ts'
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

/** What is reserved, of which account, for what. Minor units. */
export type NewHold = { accountId: string; amount: bigint; owner: OwnerRef; expiresAt?: Date }

/**
 * Reserves money of an account: it stays posted there, and nothing else can take it. Answers nothing when less than
 * that is available.
 */
export async function reserve(tx: Tx, scope: Scope, given: NewHold, at: Date): Promise<Hold | undefined> {
  return (await reserveEach(tx, [{ ...given, scope, at }]))[0]
}

/** Reserves for many at once, of whatever Spaces, judged in their order: answers of each its hold, or nothing. */
export async function reserveEach(
  tx: Tx,
  given: Scoped<NewHold & { at: Date }>[],
): Promise<(Hold | undefined)[]> {
  const accounts = byName(await lockAccounts(tx, given.map(accountOf)))
  const touched = new Set<HeldAccount>()
  const answers = given.map((wanted) => {
    const account = accounts.get(nameIn(wanted.scope, wanted.accountId))
    if (!account || wanted.amount > available(account)) return undefined
    account.held += wanted.amount
    touched.add(account)
    return newHold(wanted)
  })
  const holds = answers.filter((hold) => hold !== undefined)
  if (holds.length === 0) return answers
  await writeHoldsOf(tx, holds, [...touched])
  await scheduleExpiries(tx, holds)
  return answers
}

const boundless = 2n ** 63n - 1n
const available = ({ allowsNegative, posted, held }: HeldAccount) =>
  allowsNegative ? boundless - held : posted - held

const newHold = ({
  scope,
  accountId,
  amount,
  owner,
  expiresAt,
  at,
}: Scoped<NewHold & { at: Date }>): Hold => ({
  scope,
  id: newId(at),
  accountId,
  amount,
  captured: 0n,
  released: 0n,
  owner,
  expiresAt: expiresAt ?? null,
  createdAt: at,
  updatedAt: at,
})

/** Where the captured money goes: credits that sum to it, each a line of its own. */
export type Capture = { reference: string; owners: OwnerRef[]; credits: Movement[] }

/**
 * Takes a part of what is held, or all of it, and posts it; the rest stays held. Refuses more than is held, and a hold
 * whose time is over.
 */
export async function capture(tx: Tx, scope: Scope, id: string, given: Capture, at: Date): Promise<Hold> {
  return only(await captureEach(tx, [{ ...given, scope, id, at }]))
}

type GivenCapture = Scoped<Capture & { id: string; at: Date }>

/** The same for many at once, each of another hold, of whatever Spaces: all of them, or it refuses. */
export async function captureEach(tx: Tx, given: GivenCapture[]): Promise<Hold[]> {
  if (given.length === 0) return []
  const asked = await findLocked(tx, given)
  const captured = asked.map(({ hold, by }) => capturedBy(hold, by))
  await writeHolds(tx, captured)
  const postings = asked.map(({ hold, by }) => postingOf(hold, by))
  const posted = await postEach(tx, postings)
  if (!posted.every((isPosted) => isPosted)) throw new Error('money that was held was not there')
  return captured
}

/** The hold of each, locked, in their order. */
async function findLocked<By extends Scoped<{ id: string }>>(
  tx: Tx,
  given: By[],
): Promise<{ hold: Hold; by: By }[]> {
  const locked = byName(await lockHolds(tx, given))
  assert(byName(given).size === given.length, 'each is of another hold')
  return given.map((by) => {
    const hold = locked.get(nameIn(by.scope, by.id))
    if (!hold) throw new Refusal('not_found')
    return { hold, by }
  })
}

function capturedBy(hold: Hold, { credits, at }: GivenCapture): Hold {
  const amount = credits.reduce((sum, credit) => sum + credit.amount, 0n)
  if (isOver(hold, at) || amount <= 0n || amount > remaining(hold)) throw new Refusal('state_conflict')
  return { ...hold, captured: hold.captured + amount, updatedAt: at }
}

/** Each credit has its debit beside it, so that a fee is told apart on both sides. */
function postingOf(hold: Hold, { scope, reference, owners, credits, at }: GivenCapture): Posting {
  const movements = credits.flatMap((credit) => [
    { ...credit, accountId: hold.accountId, amount: -credit.amount, release: credit.amount },
    credit,
  ])
  return { scope, reference, at, owners, movements }
}

/** Gives back what is still held; repeated, the same. Answers how much it was. */
export async function release(tx: Tx, scope: Scope, id: string, at: Date): Promise<bigint> {
  return only(await releaseEach(tx, [{ scope, id, at }]))
}

/** The same for many at once, each of another hold, of whatever Spaces. */
export async function releaseEach(tx: Tx, given: Scoped<{ id: string; at: Date }>[]): Promise<bigint[]> {
  if (given.length === 0) return []
  const asked = await findLocked(tx, given)
  const holds = asked.map(({ hold }) => hold)
  const open = asked.flatMap(({ hold, by }) =>
    remaining(hold) > 0n ? [{ ...hold, released: hold.amount - hold.captured, updatedAt: by.at }] : [],
  )
  if (open.length === 0) return given.map(() => 0n)
  const accounts = byName(await lockAccounts(tx, holds.map(accountOf)))
  for (const hold of holds)
    must(accounts.get(nameIn(hold.scope, hold.accountId)), 'account of a hold').held -= remaining(hold)
  await writeHoldsOf(tx, open, [...accounts.values()])
  return holds.map(remaining)
}

const accountOf = ({ scope, accountId: id }: Scoped<{ accountId: string }>) => ({ scope, id })
const remaining = ({ amount, captured, released }: Hold) => amount - captured - released
const isOver = ({ expiresAt }: Hold, at: Date) => expiresAt !== null && at >= expiresAt

/** The hold's time is over: what is left of it is free. */
export async function expireHold(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const [hold] = await lockHolds(tx, [{ scope, id }])
  if (!hold) return
  // Another node's clock may be a little ahead of this one's.
  if (isOver(hold, at)) await release(tx, scope, id, at)
  else await scheduleExpiries(tx, [hold])
}

async function scheduleExpiries(tx: Tx, holds: Hold[]): Promise<void> {
  const jobs = holds.flatMap(({ scope, id, expiresAt }) =>
    expiresAt ? [{ dueAt: expiresAt, job: 'ledger.expire-hold', payload: { ...scope, holdId: id } }] : [],
  )
  if (jobs.length > 0) await scheduleEach(tx, jobs)
}
