import type { Scope } from '../platform/clock.ts'
import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

/** Money of an account that is reserved; open for as long as a part is neither captured nor released. Minor units. */
export type Hold = {
  id: string
  accountId: string
  amount: bigint
  captured: bigint
  released: bigint
  owner: OwnerRef
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/**
 * What is available of accounts, which are locked, in order. One that may become negative has no bound; one
 * that is not there has nothing.
 */
export async function lockAvailable(tx: Tx, { spaceId, environment }: Scope, ids: string[]) {
  const rows = await tx.query<{ id: string; available: bigint; allowsNegative: boolean }>(sql`
    select id, posted - held as available, allows_negative from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids([...new Set(ids)])}::uuid[])
    order by id for no key update`)
  return new Map(
    rows.map(({ id, available, allowsNegative }) => [id, allowsNegative ? boundless : available]),
  )
}

const boundless = 2n ** 63n - 1n

/** Holds more of locked accounts, or less. */
export const moveHeldEach = (tx: Tx, { spaceId, environment }: Scope, byAccount: Map<string, bigint>) =>
  tx.run(sql`
    update ledger_accounts account set held = account.held + moved.amount
    from unnest(${uuids([...byAccount.keys()])}::uuid[], ${bigints([...byAccount.values()])}::bigint[])
      as moved (id, amount)
    where account.space_id = ${spaceId} and account.environment = ${environment} and account.id = moved.id`)

export const insertHolds = (tx: Tx, { spaceId, environment }: Scope, holds: Hold[]) =>
  tx.run(sql`
    insert into ledger_holds (space_id, environment, id, account_id, amount, owner, expires_at, created_at, updated_at)
    select ${spaceId}, ${environment}, id, account_id, amount, owner::json, expires_at, created_at, created_at
    from unnest(${uuids(holds.map((h) => h.id))}::uuid[], ${uuids(holds.map((h) => h.accountId))}::uuid[],
      ${bigints(holds.map((h) => h.amount))}::bigint[], ${texts(holds.map((h) => JSON.stringify(h.owner)))}::text[],
      ${times(holds.map((h) => h.expiresAt))}::timestamptz[], ${times(holds.map((h) => h.createdAt))}::timestamptz[])
      as hold (id, account_id, amount, owner, expires_at, created_at)`)

/** In order of their ids. A hold is locked before its account, always. */
export const lockHolds = (tx: Tx, { spaceId, environment }: Scope, ids: string[]) =>
  tx.query<Hold>(sql`
    select id, account_id, amount, captured, released, owner, expires_at, created_at, updated_at from ledger_holds
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])
    order by id for update`)

export const updateHolds = (tx: Tx, { spaceId, environment }: Scope, holds: Hold[]) =>
  tx.run(sql`
    update ledger_holds hold set captured = changed.captured, released = changed.released,
      updated_at = changed.updated_at
    from unnest(${uuids(holds.map((h) => h.id))}::uuid[], ${bigints(holds.map((h) => h.captured))}::bigint[],
      ${bigints(holds.map((h) => h.released))}::bigint[], ${times(holds.map((h) => h.updatedAt))}::timestamptz[])
      as changed (id, captured, released, updated_at)
    where hold.space_id = ${spaceId} and hold.environment = ${environment} and hold.id = changed.id`)
