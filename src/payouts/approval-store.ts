import type { Scope } from '../platform/clock.ts'
import { texts } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** Currency → the amount in minor units above which another user has to approve; none is in it that never needs it. */
export async function selectApprovalsAbove(
  db: Reader,
  { spaceId, environment }: Scope,
  currencies: string[],
): Promise<Map<string, bigint>> {
  const rows = await db.query<{ currency: string; amount: bigint }>(sql`
    select currency, amount from payout_approvals_above
    where space_id = ${spaceId} and environment = ${environment} and currency = any(${texts(currencies)}::text[])`)
  return new Map(rows.map(({ currency, amount }) => [currency, amount]))
}

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
