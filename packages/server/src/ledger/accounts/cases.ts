import { must } from '@pesewa/values'
import { readNow } from '../../platform/clock.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { newId, showId } from '../../platform/ids.ts'
import { argumentRefusal, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { selectAuditEntries } from '../../tenants/spaces/store.ts'
import { clearingPurpose, systemAccount, systemAccounts } from './accounts.ts'
import {
  type CaseKind,
  insertCases,
  type LedgerCase,
  lockCase,
  selectCases,
  updateClosed,
} from './case-store.ts'
import type { LedgerWork } from './holds.ts'
import { type Movement, moneyIn, type Posting, postEach } from './postings.ts'
import { newReference } from './reference.ts'
import { accountIds } from './resources.ts'
import { type Direction, selectClearing, selectFinancialAccount, selectOwners } from './store.ts'

/** A rail's report that contradicts an outcome which was already published. */
export type RailContradiction = Scoped<{
  kind: CaseKind
  object: OwnerRef
  providerId: string
  /** The direction in which the money was meant to be moved. */
  direction: Direction
  amount: bigint
  currency: string
  at: Date
}>

/**
 * Opens cases for an operator to decide. The cases may belong to different Spaces. Returns whether each case is
 * new (false if it already existed), and the postings that move the money to suspense. The caller has to apply
 * these postings. The reported outcome does not change.
 */
export async function openCases(
  tx: Tx,
  contradictions: RailContradiction[],
): Promise<{ opened: boolean[]; work: LedgerWork }> {
  const cases = contradictions.map(({ object, ...contradiction }) => ({
    ...contradiction,
    id: newId(contradiction.at),
    owners: [object],
    objectType: object.type,
    objectId: object.id,
    reference: newReference(contradiction.at),
    openedAt: contradiction.at,
  }))
  const inserted = await insertCases(tx, cases)
  const opened = cases.filter(({ id }) => inserted.has(id))
  const accounts = await systemAccounts(tx, [
    ...opened.map((one) => ({ ...one, ...clearingPurpose(one.providerId, one.direction) })),
    ...opened.map((one) => ({ ...one, purpose: 'suspense' as const })),
  ])
  const postings = opened.map((one, i): Posting => {
    const movements = [
      { accountId: must(accounts[i], 'clearing account'), amount: -inSuspense(one) },
      { accountId: must(accounts[opened.length + i], 'suspense account'), amount: inSuspense(one) },
    ]
    return { ...one, movements }
  })
  return { opened: cases.map(({ id }) => inserted.has(id)), work: { postings } }
}

/**
 * Returns the amount that a case leaves in suspense. It is negative if the money of a failed payout left or the
 * money of a completed payment never arrived.
 */
const inSuspense = ({ kind, direction, amount }: Pick<LedgerCase, 'kind' | 'direction' | 'amount'>) =>
  (direction === 'disbursement') === (kind === 'success_after_failure') ? -amount : amount

/** An operator's decision on a case. */
export type CaseDecision = {
  /** The account to be credited or debited; undefined if the money was moved outside Pesewa. */
  accountId: string | undefined
  /**
   * The amount that was already returned to the merchant by other means. It cannot increase, because the caller
   * has locked the object of the case.
   */
  returned: bigint
}

/**
 * Closes a case. A case can be closed only once. In the same transaction, its money is moved from suspense to
 * an account in the same Space, environment and currency, or to `elsewhere` if no account is given. The account
 * is credited with money that arrived late or never left, and debited with money that left late. Money that was
 * returned earlier goes back to the provider's clearing account.
 *
 * @throws Refusal `not_found`; `state_conflict` if the case is already closed or the account's balance is too
 * low; `arguments_invalid`
 */
export async function closeCase(
  tx: Tx,
  id: string,
  decider: Decider,
  { accountId, returned }: CaseDecision,
): Promise<LedgerCase> {
  const found = await lockCase(tx, id)
  if (!found) throw new Refusal('not_found', { message: 'There is no such case.' })
  if (found.closedAt) throw await closedAlready(tx, found)
  const row = { ...found, returned }
  const scope = { spaceId: row.spaceId, environment: row.environment }
  const closedAt = await readNow(tx, scope)
  const closingReference = await moveMoney(tx, scope, row, accountId, closedAt)
  const closed = { ...row, closedAt, closingReference }
  await updateClosed(tx, scope, closed)
  const details = {
    ...(accountId && { account: showId(accountIds, accountId) }),
    ...(returned > 0n && { returned: String(returned) }),
    reference: closingReference,
  }
  const object = { objectType: 'case', objectId: id }
  await writeAuditEntry(tx, scope, decider, { action: 'case.close', ...object, details })
  return closed
}

async function closedAlready(db: Reader, { id, closedAt }: LedgerCase): Promise<Refusal> {
  const [entry] = await selectAuditEntries(db, 'case', [id])
  const by = entry ? ` by ${entry.actor}: ${entry.reason}` : ''
  return new Refusal('state_conflict', {
    message: `This case was closed at ${must(closedAt, 'time of closing').toISOString()}${by}`,
  })
}

async function moveMoney(
  tx: Tx,
  scope: Scope,
  row: LedgerCase,
  accountId: string | undefined,
  at: Date,
): Promise<string> {
  const { currency, returned } = row
  if (accountId) await checkAccount(tx, scope, row, accountId)
  const amount = inSuspense(row)
  const reference = newReference(at)
  const movements: Movement[] = [
    { accountId: await systemAccount(tx, scope, 'suspense', currency, at), amount: -amount },
  ]
  if (amount !== returned) {
    const credited = accountId ?? (await systemAccount(tx, scope, 'elsewhere', currency, at))
    movements.push({ accountId: credited, amount: amount - returned })
  }
  if (returned > 0n)
    movements.push({ accountId: await selectClearing(tx, scope, row.reference), amount: returned })
  // These are the owners recorded in the posting to suspense, with their metadata at that time.
  const owners = await selectOwners(tx, scope, row.reference)
  const [isPosted] = await postEach(tx, [{ scope, reference, at, owners, movements }])
  if (!isPosted)
    throw new Refusal('state_conflict', {
      message: 'The available balance of the account is less than the amount of the case.',
    })
  return reference
}

async function checkAccount(db: Reader, scope: Scope, { currency }: LedgerCase, id: string): Promise<void> {
  const account = await selectFinancialAccount(db, scope, id)
  if (!account)
    throw argumentRefusal(
      'account',
      'does not name a financial account in the Space and environment of this case',
    )
  if (account.currency !== currency)
    throw argumentRefusal('account', `is in ${account.currency}, but the case is in ${currency}`)
}

export type ListedCase = LedgerCase & { closedBy: string | null; reason: string | null }

const maxListed = 1_000

/**
 * Lists up to a thousand cases in all Spaces and environments, oldest first. Closed cases are included only if
 * `isAll` is true.
 */
export async function listCases(db: Reader, isAll: boolean): Promise<ListedCase[]> {
  const cases = await selectCases(db, !isAll, maxListed)
  const ids = cases.filter(({ closedAt }) => closedAt).map(({ id }) => id)
  const entries = new Map((await selectAuditEntries(db, 'case', ids)).map((each) => [each.objectId, each]))
  return cases.map((row) => {
    const { actor: closedBy = null, reason = null } = entries.get(row.id) ?? {}
    return { ...row, closedBy, reason }
  })
}

/**
 * Returns a case's amount, the part that was already returned, and the part that still has to be decided, as
 * they appear in the API.
 */
export function presentCaseMoney({
  currency,
  amount,
  returned,
}: Pick<LedgerCase, 'currency' | 'amount' | 'returned'>) {
  const money = moneyIn(currency)
  return { amount: money(amount), returned: money(returned), remaining: money(amount - returned) }
}
