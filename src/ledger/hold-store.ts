import type { Scope } from '../platform/clock.ts'
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

export const insertHold = (tx: Tx, { spaceId, environment }: Scope, hold: Hold) =>
  tx.run(sql`
    insert into ledger_holds (space_id, environment, id, account_id, amount, owner, expires_at, created_at, updated_at)
    values (${spaceId}, ${environment}, ${hold.id}, ${hold.accountId}, ${hold.amount}, ${JSON.stringify(hold.owner)},
      ${hold.expiresAt}, ${hold.createdAt}, ${hold.updatedAt})`)

/** A hold is locked before its account, always. */
export const lockHold = (tx: Tx, { spaceId, environment }: Scope, id: string) =>
  tx.one<Hold>(sql`
    select id, account_id, amount, captured, released, owner, expires_at, created_at, updated_at from ledger_holds
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} for update`)

export const updateHold = (tx: Tx, { spaceId, environment }: Scope, hold: Hold) =>
  tx.run(sql`
    update ledger_holds set captured = ${hold.captured}, released = ${hold.released}, updated_at = ${hold.updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and id = ${hold.id}`)
