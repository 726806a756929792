import { texts, times } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { nameIn, type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import type { Scope } from '../platform/scope.ts'

/**
 * The amounts in minor units above which another user has to approve, by `nameIn` of Space and currency, where there is
 * such an amount. Locked, so that of two concurrent payouts the second is judged after the first.
 */
export async function lockApprovalsAbove(tx: Tx, of: Scope[]): Promise<Map<string, bigint>> {
  const rows = await tx.query<Scope & { currency: string; amount: bigint }>(sql`
    -- every space: those that are named
    select above.* from (
      select distinct space_id, environment from unnest(${scopes(of.map((scope) => ({ scope })))})
        as wanted (space_id, environment)
      order by space_id, environment
    ) wanted
    cross join lateral (
      select space_id, environment, currency, amount from payout_approvals_above
      where space_id = wanted.space_id and environment = wanted.environment
      order by currency for update
    ) above`)
  return new Map(rows.map((row) => [nameIn(row, row.currency), row.amount]))
}

/** By one user or for one account, since a time. */
type Since = Scoped<{ by: string; since: Date }>

/** What users paid out without approval, unless it failed. */
export const sumByCreator = (db: Reader, users: Since[]) => sumBy(db, sql`created_by`, sql`uuid`, users)

/** What went to accounts without approval, unless it failed. */
export const sumByPayee = (db: Reader, accounts: Since[]) =>
  sumBy(db, sql`payee_account`, sql`text`, accounts)

/** Along the index of that column. */
const sumBy = async (db: Reader, column: Sql, type: Sql, wanted: Since[]) =>
  (
    await db.query<Scope & { by: string; currency: string; amount: bigint }>(sql`
      select sums.* from (
        select space_id, environment, by, min(since) as since
        from unnest(${scopes(wanted)}, ${texts(wanted.map(({ by }) => by))}::text[],
          ${times(wanted.map(({ since }) => since))}::timestamptz[]) as asked (space_id, environment, by, since)
        group by space_id, environment, by
      ) wanted
      cross join lateral (
        select space_id, environment, wanted.by, currency, sum(amount)::bigint as amount from payouts
        where space_id = wanted.space_id and environment = wanted.environment and counts_unapproved
          and status <> 'failed' and ${column} = wanted.by::${type} and created_at > wanted.since
        group by space_id, environment, currency
      ) sums`)
  ).map(scoped)

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
