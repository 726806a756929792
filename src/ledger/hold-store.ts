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
 * What is available of accounts, which are locked, in order and one by one along the primary key (`offset 0`). One that
 * may become negative has no bound; one that is not there has nothing.
 */
export async function lockAvailable(tx: Tx, { spaceId, environment }: Scope, ids: string[]) {
  const inOrder = [...new Set(ids)].sort()
  const rows = await tx.query<{ id: string; available: bigint; allowsNegative: boolean }>(sql`
    select account.* from unnest(${uuids(inOrder)}::uuid[]) as wanted (id) cross join lateral (
      select id, posted - held as available, allows_negative from ledger_accounts
      where space_id = ${spaceId} and environment = ${environment} and id = wanted.id
      for no key update offset 0
    ) account`)
  return new Map(
    rows.map(({ id, available, allowsNegative }) => [id, allowsNegative ? boundless : available]),
  )
}

const boundless = 2n ** 63n - 1n

/** Holds more of an account, or less: it must be locked, or its hold. */
export const moveHeld = (tx: Tx, { spaceId, environment }: Scope, accountId: string, by: bigint) =>
  tx.run(sql`
    update ledger_accounts set held = held + ${by}
    where space_id = ${spaceId} and environment = ${environment} and id = ${accountId}`)

/** In order of their ids, one by one along the primary key (`offset 0`). A hold is locked before its account, always. */
export const lockHolds = (tx: Tx, { spaceId, environment }: Scope, ids: string[]) =>
  tx.query<Hold>(sql`
    select hold.* from unnest(${uuids(ids.toSorted())}::uuid[]) as wanted (id) cross join lateral (
      select id, account_id, amount, captured, released, owner, expires_at, created_at, updated_at from ledger_holds
      where space_id = ${spaceId} and environment = ${environment} and id = wanted.id for update offset 0
    ) hold`)

/** Writes holds as they are: new ones, and what changed of others, which must be locked. Along the primary key. */
export const writeHolds = (tx: Tx, { spaceId, environment }: Scope, holds: Hold[]) =>
  tx.run(sql`
    insert into ledger_holds (space_id, environment, id, account_id, amount, captured, released, owner, expires_at,
      created_at, updated_at)
    select ${spaceId}, ${environment}, id, account_id, amount, captured, released, owner::json, expires_at, created_at,
      updated_at
    from unnest(${uuids(holds.map((h) => h.id))}::uuid[], ${uuids(holds.map((h) => h.accountId))}::uuid[],
      ${bigints(holds.map((h) => h.amount))}::bigint[], ${bigints(holds.map((h) => h.captured))}::bigint[],
      ${bigints(holds.map((h) => h.released))}::bigint[],
      ${texts(holds.map((h) => JSON.stringify(h.owner)))}::text[],
      ${times(holds.map((h) => h.expiresAt))}::timestamptz[], ${times(holds.map((h) => h.createdAt))}::timestamptz[],
      ${times(holds.map((h) => h.updatedAt))}::timestamptz[])
      as hold (id, account_id, amount, captured, released, owner, expires_at, created_at, updated_at)
    on conflict (space_id, environment, id) do update
    set captured = excluded.captured, released = excluded.released, updated_at = excluded.updated_at`)
