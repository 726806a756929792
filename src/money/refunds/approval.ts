import { time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { selectEach } from '../../platform/db/lookups.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import { readId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { markRules } from '../../tenants/spaces/chained-changes.ts'
import { paymentIds } from '../payments/resources.ts'
import { selectPayment } from '../payments/store.ts'

/**
 * Requires another user's approval for a refund of more than `amount` minor units. A smaller refund also needs
 * approval if, together with it, the refunds that its creator made without approval within a day would exceed
 * this amount. `null` removes the requirement. Existing refunds are not affected.
 */
export async function setRefundApprovalAbove(
  tx: Tx,
  scope: Scope,
  currency: string,
  amount: bigint | null,
): Promise<void> {
  const { spaceId, environment } = scope
  await markRules(tx, scope, 'refund_approvals_above')
  await tx.run(
    amount === null
      ? sql`
          delete from refund_approvals_above
          where space_id = ${spaceId} and environment = ${environment} and currency = ${currency}`
      : sql`
          insert into refund_approvals_above (space_id, environment, currency, amount)
          values (${spaceId}, ${environment}, ${currency}, ${amount})
          on conflict (space_id, environment, currency) do update set amount = excluded.amount`,
  )
}

export const listRefundApprovalsAbove = (db: Reader, { spaceId, environment }: Scope) =>
  db.query<{ currency: string; amount: bigint }>(sql`
    select currency, amount from refund_approvals_above
    where space_id = ${spaceId} and environment = ${environment}
    order by currency`)

type RefundBody = { paymentId: string; amount?: { currency: string; value: number } }

/**
 * Returns whether a single refund exceeds the amount above which the Space requires approval. A refund without
 * an amount is a full refund.
 */
export async function isAboveApproval(
  db: Reader,
  { spaceId, environment }: Scope,
  { paymentId, amount }: RefundBody,
): Promise<boolean> {
  const id = readId(paymentIds, paymentId)
  const payment =
    id && amount === undefined ? await selectPayment(db, { spaceId, environment }, id) : undefined
  const currency = amount?.currency ?? payment?.currency ?? null
  const value = amount?.value ?? payment?.amount ?? null
  const limit = await db.one(sql`
    select 1 from refund_approvals_above
    where space_id = ${spaceId} and environment = ${environment} and currency = ${currency} and amount < ${value}`)
  return limit !== undefined
}

const dayMs = 86_400_000 // limit: how long a user's refunds count towards approval

/** A refund that counts towards approval, with its amount in minor units. */
type RefundClaim = Scoped<{
  currency: string
  amount: bigint
  userId: string | null
  /** True if the refund needs approval regardless of its amount. */
  isProposal: boolean
  at: Date
}>

/**
 * Returns, for each new refund, whether it needs approval. A refund that needs no approval counts towards its
 * creator's total when the refunds after it are checked.
 */
export async function checkApprovals(tx: Tx, claims: RefundClaim[]) {
  const limits = await lockApprovalsAbove(tx, claims)
  const limited = claims.filter((claim) => !claim.isProposal && limits.has(limitOf(claim)))
  const sums = limited.length > 0 ? await sumUnapproved(tx, limited) : new Map<string, bigint>()
  return claims.map((claim) => {
    if (claim.isProposal) return { needsApproval: true, countsUnapproved: false }
    const limit = limits.get(limitOf(claim))
    if (limit === undefined) return { needsApproval: false, countsUnapproved: false }
    const sum = (sums.get(creatorOf(claim)) ?? 0n) + claim.amount
    const needsApproval = sum > limit
    if (!needsApproval) sums.set(creatorOf(claim), sum)
    return { needsApproval, countsUnapproved: !needsApproval }
  })
}

const limitOf = ({ scope, currency }: Scoped<{ currency: string }>) => globalName(scope, currency)
const creatorOf = ({ scope, currency, userId }: Scoped<{ currency: string; userId: string | null }>) =>
  globalName(scope, `${currency} ${userId}`)

/**
 * Returns the amounts above which another user must approve a refund. They are locked, so that the second of
 * two concurrent refunds is checked after the first.
 */
async function lockApprovalsAbove(tx: Tx, claims: RefundClaim[]): Promise<Map<string, bigint>> {
  const rows = await selectEach<{ currency: string; amount: bigint }>(
    tx,
    sql`(select distinct * from ${bySpace(claims)} order by space_id, environment) requested`,
    sql`
      select currency, amount from refund_approvals_above
      where space_id = requested.space_id and environment = requested.environment
      order by currency for update`,
  )
  return new Map(rows.map((row) => [limitOf(row), row.amount]))
}

const bySpace = unnestScoped({})

/**
 * Returns the total that each user has refunded without approval within the last day, not counting failed and
 * cancelled refunds.
 */
async function sumUnapproved(db: Reader, claims: RefundClaim[]): Promise<Map<string, bigint>> {
  const rows = await selectEach<{ userId: string; currency: string; amount: bigint }>(
    db,
    sql`(
      select space_id, environment, user_id, min(since) as since from ${byUser(
        claims.flatMap(({ scope, userId, at }) =>
          userId === null ? [] : [{ scope, userId, since: new Date(at.getTime() - dayMs) }],
        ),
      )}
      group by space_id, environment, user_id) requested`,
    sql`
      select requested.user_id, currency, sum(amount)::bigint as amount from refunds
      where space_id = requested.space_id and environment = requested.environment and counts_unapproved
        and status not in ('failed', 'cancelled') and created_by = requested.user_id and created_at > requested.since
      group by currency`,
  )
  return new Map(rows.map((row) => [creatorOf(row), row.amount]))
}

const byUser = unnestScoped({ userId: uuid, since: time })
