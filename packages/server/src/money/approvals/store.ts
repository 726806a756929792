import { bigint, hashed, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { selectEach } from '../../platform/db/lookups.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Scope } from '../../platform/scope.ts'

export type LimitKind = 'payout' | 'refund'

const limits = table('approval_limits', ['kind', 'currency'], {
  kind: textOf<LimitKind>(),
  currency: text,
  /** In minor units. */
  amount: bigint,
})
export type ApprovalLimit = RowOf<typeof limits>

const proposals = table('approval_limit_proposals', ['kind', 'currency'], {
  kind: textOf<LimitKind>(),
  currency: text,
  /** In minor units; null if no approval would be required. */
  amount: orNull(bigint),
  proposedBy: uuid,
  proposedAt: time,
})
export type LimitProposal = RowOf<typeof proposals>

/**
 * Returns the amounts, in minor units, above which another user must approve a payout or refund. The map's keys
 * are the global names of Space and currency. The amounts are locked, so that the second of two concurrent
 * payouts or refunds is checked after the first.
 */
export async function lockLimits(tx: Tx, kind: LimitKind, spaces: Scope[]): Promise<Map<string, bigint>> {
  const inOrder = sql`
    (select distinct * from ${bySpace(spaces.map((scope) => ({ scope })))} order by space_id, environment) requested`
  const rows = await selectEach<{ currency: string; amount: bigint }>(
    tx,
    inOrder,
    sql`
      select currency, amount from approval_limits
      where space_id = requested.space_id and environment = requested.environment and kind = ${kind}
      order by currency for update`,
  )
  return new Map(rows.map(({ scope, currency, amount }) => [globalName(scope, currency), amount]))
}

const bySpace = unnestScoped({})

/** A user or an account, and the start of a period. */
type Since = Scoped<{ by: string; since: Date }>

/** Returns the total amounts that users have paid out or refunded without approval, of rows that have not failed. */
export const sumByCreator = (db: Reader, rows: Sql, users: Since[]) =>
  sumBy(db, rows, sql`created_by = requested.by::uuid`, users)

/** Returns the total amounts that accounts have received without approval, of rows that have not failed. */
export const sumByPayee = (db: Reader, rows: Sql, accounts: Since[]) =>
  sumBy(db, rows, sql`payee_account = any(array[requested.hash, requested.by])`, accounts)

/** Returns totals for the given users or accounts. `isBy` is the condition for `requested`, which an index serves. */
const sumBy = (db: Reader, rows: Sql, isBy: Sql, users: Since[]) =>
  selectEach<{ by: string; currency: string; amount: bigint }>(
    db,
    sql`(
      select space_id, environment, by, hash, min(since) as since
      from ${bySince(users.map((user) => ({ ...user, hash: user.by })))}
      group by space_id, environment, by, hash) requested`,
    sql`
      select requested.by, currency, sum(amount)::bigint as amount from ${rows}
      where space_id = requested.space_id and environment = requested.environment and counts_unapproved
        and status not in ('failed', 'cancelled') and ${isBy}
        and created_at > requested.since
      group by currency`,
  )

const bySince = unnestScoped({ by: text, hash: hashed, since: time })

/** Returns whether an amount alone exceeds the limit. Returns false if the currency or the amount is unknown. */
export const isAboveLimit = async (
  db: Reader,
  { spaceId, environment }: Scope,
  kind: LimitKind,
  { currency, value }: { currency: string | null; value: number | bigint | null },
): Promise<boolean> =>
  (await db.one(sql`
    select 1 from approval_limits
    where space_id = ${spaceId} and environment = ${environment} and kind = ${kind} and currency = ${currency}
      and amount < ${value}`)) !== undefined

export const selectLimits = (db: Reader, scope: Scope) =>
  db.query<ApprovalLimit>(sql`${limits.of(scope)}
    order by kind, currency`)

const upsertingLimit = limits.upsert('amount')
export const upsertLimit = (tx: Tx, limit: Scoped<ApprovalLimit>) => tx.run(upsertingLimit([limit]))

export const deleteLimit = (
  tx: Tx,
  { scope: { spaceId, environment }, kind, currency }: Scoped<Pick<ApprovalLimit, 'kind' | 'currency'>>,
) =>
  tx.run(sql`
    delete from approval_limits
    where space_id = ${spaceId} and environment = ${environment} and kind = ${kind} and currency = ${currency}`)

/** Returns the proposals that were made after `since`. */
export const selectProposals = (db: Reader, scope: Scope, since: Date) =>
  db.query<LimitProposal>(sql`
    ${proposals.of(scope)} and proposed_at > ${since}
    order by kind, currency`)

const upsertingProposal = proposals.upsert('amount', 'proposedBy', 'proposedAt')
export const upsertProposal = (tx: Tx, proposal: Scoped<LimitProposal>) =>
  tx.run(upsertingProposal([proposal]))

export const deleteProposal = (
  tx: Tx,
  { scope: { spaceId, environment }, kind, currency }: Scoped<Pick<LimitProposal, 'kind' | 'currency'>>,
) =>
  tx.run(sql`
    delete from approval_limit_proposals
    where space_id = ${spaceId} and environment = ${environment} and kind = ${kind} and currency = ${currency}`)
