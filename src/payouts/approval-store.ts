import type { Scope } from '../platform/clock.ts'
import { texts, times, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { nameIn, type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'

/**
 * The amount in minor units above which another user has to approve, by `nameIn` of Space and currency; none is in it that
 * never needs it. Locked, so that of two payouts that are made at once the second is judged after the first.
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

type Asked = Scoped<{ userId: string; payeeAccount: string; since: Date }>

/** What these users asked for since then without anybody's approval, unless it failed. */
export const sumByCreator = async (db: Reader, payouts: Asked[]) =>
  (
    await db.query<Scope & { currency: string; createdBy: string; amount: bigint }>(sql`
      select sums.* from (
        select space_id, environment, user_id, min(since) as since
        from unnest(${scopes(payouts)}, ${uuids(payouts.map(({ userId }) => userId))}::uuid[],
          ${times(payouts.map(({ since }) => since))}::timestamptz[]) as asked (space_id, environment, user_id, since)
        group by space_id, environment, user_id
      ) wanted
      cross join lateral (
        select space_id, environment, currency, created_by, sum(amount)::bigint as amount from payouts
        where space_id = wanted.space_id and environment = wanted.environment and counts_unapproved
          and status <> 'failed' and created_by = wanted.user_id and created_at > wanted.since
        group by space_id, environment, currency, created_by
      ) sums`)
  ).map(scoped)

/** What went to these accounts since then without anybody's approval, unless it failed. */
export const sumByPayee = async (db: Reader, payouts: Asked[]) =>
  (
    await db.query<Scope & { currency: string; payeeAccount: string; amount: bigint }>(sql`
      select sums.* from (
        select space_id, environment, payee_account, min(since) as since
        from unnest(${scopes(payouts)}, ${texts(payouts.map(({ payeeAccount }) => payeeAccount))}::text[],
          ${times(payouts.map(({ since }) => since))}::timestamptz[]) as asked (space_id, environment, payee_account, since)
        group by space_id, environment, payee_account
      ) wanted
      cross join lateral (
        select space_id, environment, currency, payee_account, sum(amount)::bigint as amount from payouts
        where space_id = wanted.space_id and environment = wanted.environment and counts_unapproved
          and status <> 'failed' and payee_account = wanted.payee_account and created_at > wanted.since
        group by space_id, environment, currency, payee_account
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
