import type { Scope } from '../platform/clock.ts'
import { texts, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/**
 * Currency → the amount in minor units above which another user has to approve; none is in it that never needs it. Locked,
 * so that of two payouts that are made at once the second is judged after the first.
 */
export async function lockApprovalsAbove(
  db: Reader,
  { spaceId, environment }: Scope,
  currencies: string[],
): Promise<Map<string, bigint>> {
  const rows = await db.query<{ currency: string; amount: bigint }>(sql`
    select currency, amount from payout_approvals_above
    where space_id = ${spaceId} and environment = ${environment} and currency = any(${texts(currencies)}::text[])
    order by currency for update`)
  return new Map(rows.map(({ currency, amount }) => [currency, amount]))
}

export type UnapprovedSum = {
  currency: string
  createdBy: string | null
  payeeAccount: string | null
  amount: bigint
}

/** What users asked for, and what went to accounts, since a moment without anybody's approval, unless it failed. */
export const selectUnapprovedSums = (
  db: Reader,
  { spaceId, environment }: Scope,
  userIds: string[],
  payeeAccounts: string[],
  since: Date,
) =>
  db.query<UnapprovedSum>(sql`
    select currency, created_by, null as payee_account, sum(amount)::bigint as amount from payouts
    where space_id = ${spaceId} and environment = ${environment} and counts_unapproved and status <> 'failed'
      and created_by = any(${uuids(userIds)}::uuid[]) and created_at > ${since}
    group by currency, created_by
    union all
    select currency, null, payee_account, sum(amount)::bigint from payouts
    where space_id = ${spaceId} and environment = ${environment} and counts_unapproved and status <> 'failed'
      and payee_account = any(${texts(payeeAccounts)}::text[]) and created_at > ${since}
    group by currency, payee_account`)

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
