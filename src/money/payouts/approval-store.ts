import { text, time } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { selectEach } from '../../platform/db/lookups.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Scope } from '../../platform/scope.ts'

/**
 * Returns the amounts, in minor units, above which another user must approve a payout. The map's keys are the
 * global names of Space and currency. The amounts are locked, so that the second of two concurrent payouts is
 * checked after the first.
 */
export async function lockApprovalsAbove(tx: Tx, spaces: Scope[]): Promise<Map<string, bigint>> {
  const inOrder = sql`
    (select distinct * from ${bySpace(spaces.map((scope) => ({ scope })))} order by space_id, environment) requested`
  const rows = await selectEach<{ currency: string; amount: bigint }>(
    tx,
    inOrder,
    sql`
      select currency, amount from payout_approvals_above
      where space_id = requested.space_id and environment = requested.environment
      order by currency for update`,
  )
  return new Map(rows.map(({ scope, currency, amount }) => [globalName(scope, currency), amount]))
}

const bySpace = unnestScoped({})

/** A user or an account, and the start of a period. */
type Since = Scoped<{ by: string; since: Date }>

/** Returns the total amounts that users have paid out without approval, not counting failed payouts. */
export const sumByCreator = (db: Reader, users: Since[]) => sumBy(db, sql`created_by`, sql`uuid`, users)

/** Returns the total amounts that accounts have received without approval, not counting failed payouts. */
export const sumByPayee = (db: Reader, accounts: Since[]) =>
  sumBy(db, sql`payee_account`, sql`text`, accounts)

/** Returns totals for the given values of a column, using the index on that column. */
const sumBy = (db: Reader, column: Sql, type: Sql, users: Since[]) =>
  selectEach<{ by: string; currency: string; amount: bigint }>(
    db,
    sql`(
      select space_id, environment, by, min(since) as since from ${bySince(users)}
      group by space_id, environment, by) requested`,
    sql`
      select requested.by, currency, sum(amount)::bigint as amount from payouts
      where space_id = requested.space_id and environment = requested.environment and counts_unapproved
        and status <> 'failed' and ${column} = requested.by::${type} and created_at > requested.since
      group by currency`,
  )

const bySince = unnestScoped({ by: text, since: time })

export const selectApprovalsAbove = (db: Reader, { spaceId, environment }: Scope) =>
  db.query<{ currency: string; amount: bigint }>(sql`
    select currency, amount from payout_approvals_above
    where space_id = ${spaceId} and environment = ${environment}
    order by currency`)

export const upsertApprovalAbove = (
  tx: Tx,
  { spaceId, environment }: Scope,
  currency: string,
  amount: bigint,
) =>
  tx.run(sql`
    insert into payout_approvals_above (space_id, environment, currency, amount)
    values (${spaceId}, ${environment}, ${currency}, ${amount})
    on conflict (space_id, environment, currency) do update set amount = excluded.amount`)

export const deleteApprovalAbove = (tx: Tx, { spaceId, environment }: Scope, currency: string) =>
  tx.run(sql`
    delete from payout_approvals_above
    where space_id = ${spaceId} and environment = ${environment} and currency = ${currency}`)
