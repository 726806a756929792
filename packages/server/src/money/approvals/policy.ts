import type { Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Sql } from '../../platform/db/sql.ts'
import { type LimitKind, lockLimits, sumByCreator, sumByPayee } from './store.ts'

const dayMs = 86_400_000 // limit: how long a user's payouts and refunds, and payouts to a payee, count towards approval

/** A new payout or refund that may need approval, with its amount in minor units. */
export type ApprovalClaim = Scoped<{
  amount: bigint
  currency: string
  /** The creator; null if the operator created the refund. */
  userId: string | null
  /** Only for payouts, because a refund reaches nobody but the payer. */
  payeeAccount?: string
  /** True if approval is needed whatever the amount. */
  isProposal?: boolean
  at: Date
}>

/**
 * Returns, for each new payout or refund, whether it needs another user's approval, and whether it counts as
 * made without approval.
 *
 * @param table contains the earlier payouts or refunds
 */
export async function checkApprovals(tx: Tx, kind: LimitKind, table: Sql, claims: ApprovalClaim[]) {
  const limits = await lockLimits(
    tx,
    kind,
    claims.map(({ scope }) => scope),
  )
  const limited = claims.filter((claim) => !claim.isProposal && limits.has(limitOf(claim)))
  const sums = limited.length > 0 ? await sumUnapproved(tx, table, limited) : new Map<string, bigint>()
  return checkInOrder(claims, limits, sums)
}

/**
 * Checks each claim as if the claims before it had been paid. Claims that need no approval are added to `sums`.
 *
 * @param limits the amounts above which another user must approve; the keys are from `limitOf`
 * @param sums the totals paid without approval within a day; the keys are from `approvalTotalNames`
 */
export function checkInOrder(
  claims: ApprovalClaim[],
  limits: Map<string, bigint>,
  sums: Map<string, bigint>,
) {
  return claims.map((claim) => {
    if (claim.isProposal) return { needsApproval: true, countsUnapproved: false }
    const limit = limits.get(limitOf(claim))
    if (limit === undefined) return { needsApproval: false, countsUnapproved: false }
    const names = approvalTotalNames(claim)
    const sumWith = (name: string) => (sums.get(name) ?? 0n) + claim.amount
    const needsApproval = claim.amount > limit || names.some((name) => sumWith(name) > limit)
    if (!needsApproval) for (const name of names) sums.set(name, sumWith(name))
    return { needsApproval, countsUnapproved: !needsApproval }
  })
}

export const limitOf = ({ scope, currency }: Scoped<{ currency: string }>) => globalName(scope, currency)

type Name = Pick<ApprovalClaim, 'scope' | 'currency'>

/** Returns the keys of the totals of a claim's creator and payee. */
export const approvalTotalNames = (claim: Omit<ApprovalClaim, 'amount' | 'at'>) => [
  ...(claim.userId === null ? [] : [ofCreator(claim, claim.userId)]),
  ...(claim.payeeAccount === undefined ? [] : [ofPayee(claim, claim.payeeAccount)]),
]
const ofCreator = ({ scope, currency }: Name, userId: string) =>
  globalName(scope, `${currency} creator ${userId}`)
const ofPayee = ({ scope, currency }: Name, account: string) =>
  globalName(scope, `${currency} payee ${account}`)

async function sumUnapproved(tx: Tx, table: Sql, claims: ApprovalClaim[]): Promise<Map<string, bigint>> {
  const sinceOf = ({ scope, at }: ApprovalClaim, by: string | null | undefined) =>
    by == null ? [] : [{ scope, by, since: new Date(at.getTime() - dayMs) }]
  const users = claims.flatMap((claim) => sinceOf(claim, claim.userId))
  const accounts = claims.flatMap((claim) => sinceOf(claim, claim.payeeAccount))
  const ofUsers = users.length > 0 ? await sumByCreator(tx, table, users) : []
  const ofAccounts = accounts.length > 0 ? await sumByPayee(tx, table, accounts) : []
  return new Map([
    ...ofUsers.map((sum) => [ofCreator(sum, sum.by), sum.amount] as const),
    ...ofAccounts.map((sum) => [ofPayee(sum, sum.by), sum.amount] as const),
  ])
}
