import assert from 'node:assert/strict'
import { readNow } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { newId, showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { type Decider, findAuditEntries, writeAuditEntry } from '../spaces/audit.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import { clearingOf, type Direction, findAccount, systemAccount, systemAccounts } from './accounts.ts'
import {
  type CaseKind,
  countOpenCases,
  type FoundCase,
  insertCases,
  lockCase,
  selectCases,
  updateClosed,
} from './case-store.ts'
import { type Posting, postEach } from './postings.ts'
import { newReference } from './reference.ts'
import { accountIds } from './resources.ts'
import { selectOwners } from './store.ts'

/** What a rail says of money after we had said the opposite. */
export type Contradiction = {
  object: OwnerRef
  providerId: string
  /** Whether it was to come in or to go out. */
  direction: Direction
  amount: bigint
  currency: string
}

/**
 * Opens cases, of whatever Spaces; returns of each whether it was opened now, or false where it is open already. What was
 * told stays told. Of a success after a failure what came in waits in suspense, and what went out is missing there; of a
 * failure after a person had called it completed the other way round. A case waits for a person.
 */
export async function openCases(
  tx: Tx,
  found: Scoped<Contradiction & { kind: CaseKind; at: Date }>[],
): Promise<boolean[]> {
  if (found.length === 0) return []
  const cases = found.map(({ object, ...one }) => ({
    ...one,
    id: newId(one.at),
    owner: object,
    objectType: object.type,
    objectId: object.id,
    reference: newReference(one.at),
    openedAt: one.at,
  }))
  const opened = await insertCases(tx, cases)
  const fresh = cases.filter(({ id }) => opened.has(id))
  const accounts = await systemAccounts(tx, [
    ...fresh.map((one) => ({ ...one, ...clearingOf(one.providerId, one.direction) })),
    ...fresh.map((one) => ({ ...one, purpose: 'suspense' as const })),
  ])
  const postings = fresh.map((one, i): Posting => {
    const movements = [
      { accountId: must(accounts[i], 'clearing account'), amount: -inSuspense(one) },
      { accountId: must(accounts[fresh.length + i], 'suspense account'), amount: inSuspense(one) },
    ]
    return { ...one, owners: [one.owner], movements }
  })
  const posted = await postEach(tx, postings)
  assert(
    posted.every((isPosted) => isPosted),
    'a case would overdraw an account',
  )
  return cases.map(({ id }) => opened.has(id))
}

/**
 * What a case leaves in suspense: money, or the want of it where it left though it had been called failed, or never came
 * though it had been called paid.
 */
const inSuspense = ({ kind, direction, amount }: Pick<FoundCase, 'kind' | 'direction' | 'amount'>) =>
  (direction === 'disbursement') === (kind === 'success_after_failure') ? -amount : amount

/**
 * Closes a case, once. With an account of the same Space, environment and currency, the case's money moves between
 * suspense and that account in the same transaction: what came in late, or never left, is credited, what left late is
 * debited.
 *
 * @throws Refusal `not_found`; `state_conflict` when it is closed, or the account has too little; `arguments_invalid`
 */
export async function closeCase(
  tx: Tx,
  id: string,
  decider: Decider,
  accountId: string | undefined,
): Promise<FoundCase> {
  const found = await lockCase(tx, id)
  if (!found) throw new Refusal('not_found', { message: 'There is no such case.' })
  if (found.closedAt) throw await isClosed(tx, found)
  const scope = scopeOf(found)
  const closedAt = await readNow(tx, scope)
  const closingReference = accountId ? await moveMoney(tx, scope, found, accountId, closedAt) : null
  const closed = { ...found, closedAt, closingReference }
  await updateClosed(tx, scope, closed)
  const details = accountId ? { account: showId(accountIds, accountId), reference: closingReference } : {}
  const object = { objectType: 'case', objectId: id }
  await writeAuditEntry(tx, scope, decider, { action: 'case.close', ...object, details })
  return closed
}

const scopeOf = ({ spaceId, environment }: FoundCase): Scope => ({ spaceId, environment })

async function isClosed(db: Reader, { id, closedAt }: FoundCase): Promise<Refusal> {
  const [entry] = await findAuditEntries(db, 'case', [id])
  const by = entry ? ` by ${entry.actor}: ${entry.reason}` : ''
  return new Refusal('state_conflict', {
    message: `This case was closed at ${must(closedAt, 'time of closing').toISOString()}${by}`,
  })
}

async function moveMoney(
  tx: Tx,
  scope: Scope,
  found: FoundCase,
  accountId: string,
  at: Date,
): Promise<string> {
  const { currency } = found
  const account = await findAccount(tx, scope, accountId)
  if (!account) throw faultyAccount('names no financial account of the Space and environment of this case')
  if (account.currency !== currency)
    throw faultyAccount(`is in ${account.currency}; the case is in ${currency}`)
  const amount = inSuspense(found)
  const reference = newReference(at)
  const movements = [
    { accountId: await systemAccount(tx, scope, 'suspense', currency, at), amount: -amount },
    { accountId, amount },
  ]
  // Those of its posting into suspense, with their metadata of then.
  const owners = await selectOwners(tx, scope, found.reference)
  const [isPosted] = await postEach(tx, [{ scope, reference, at, owners, movements }])
  if (!isPosted)
    throw new Refusal('state_conflict', {
      message: 'The account has less available than the amount of the case.',
    })
  return reference
}

const faultyAccount = (error: string) =>
  new Refusal('arguments_invalid', { details: [{ param: 'account', errors: [error] }] })

export type ListedCase = FoundCase & { closedBy: string | null; reason: string | null }

const maxListed = 1_000 // limit: cases that are listed

/** Cases of every Space and environment, oldest first, at most a thousand; without `isAll` those that are open. */
export async function listCases(db: Reader, isAll: boolean): Promise<ListedCase[]> {
  const cases = await selectCases(db, !isAll, maxListed)
  const ids = cases.filter(({ closedAt }) => closedAt).map(({ id }) => id)
  const entries = new Map((await findAuditEntries(db, 'case', ids)).map((each) => [each.objectId, each]))
  return cases.map((found) => {
    const { actor: closedBy = null, reason = null } = entries.get(found.id) ?? {}
    return { ...found, closedBy, reason }
  })
}

const maxCounted = 10_000 // limit: open cases that metrics count

/** How many cases wait for a person, of every Space and environment; counted to ten thousand. */
export const openCaseCount = (db: Reader): Promise<number> => countOpenCases(db, maxCounted)
