import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Tx } from '../platform/db/database.ts'
import { inLockOrder, lockEach, type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import type { Scope } from '../platform/scope.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

/** Money of an account that is reserved; open for as long as a part is neither captured nor released. Minor units. */
export type Hold = Scoped<{
  id: string
  accountId: string
  amount: bigint
  captured: bigint
  released: bigint
  owner: OwnerRef
  expiresAt: Date | null
  createdAt: Date
  updatedAt: Date
}>

/** An account that is locked. */
export type HeldAccount = Scoped<{
  id: string
  kind: string
  currency: string
  allowsNegative: boolean
  posted: bigint
  held: bigint
}>

/** Locks accounts, in order and one by one along the primary key (`offset 0`). Answers those that there are. */
export const lockAccounts = async (tx: Tx, wanted: Scoped<{ id: string }>[]): Promise<HeldAccount[]> => {
  const inOrder = inLockOrder(wanted)
  const rows = await tx.query<Scope & Omit<HeldAccount, 'scope'>>(sql`
    select account.* from unnest(${scopes(inOrder)}, ${uuids(inOrder.map(({ id }) => id))}::uuid[])
      as wanted (space_id, environment, id)
    cross join lateral (
      select space_id, environment, id, kind, currency, allows_negative, posted, held from ledger_accounts a
      where a.space_id = wanted.space_id and a.environment = wanted.environment and a.id = wanted.id
      for no key update offset 0
    ) account`)
  return rows.map(scoped)
}

/** Writes how much is held of locked accounts. Every one is there, so this only updates; along the primary key. */
const writingHeld = (accounts: HeldAccount[]) => sql`
    insert into ledger_accounts (space_id, environment, id, kind, currency, allows_negative, posted, held)
    select space_id, environment, id, kind, currency, true, posted, held
    from unnest(${scopes(accounts)}, ${uuids(accounts.map((a) => a.id))}::uuid[],
      ${texts(accounts.map((a) => a.kind))}::text[], ${texts(accounts.map((a) => a.currency))}::text[],
      ${bigints(accounts.map((a) => a.posted))}::bigint[], ${bigints(accounts.map((a) => a.held))}::bigint[])
      as account (space_id, environment, id, kind, currency, posted, held)
    on conflict (space_id, environment, id) do update set held = excluded.held`

/** A hold is locked before its account, always. */
export const lockHolds = (tx: Tx, wanted: Scoped<{ id: string }>[]): Promise<Hold[]> =>
  lockEach<Omit<Hold, 'scope'>>(tx, { from: sql`ledger_holds`, columns }, wanted)

const columns = sql`id, account_id, amount, captured, released, owner, expires_at, created_at, updated_at`

/** Writes holds as they are: new ones, and what changed of others, which must be locked. Along the primary key. */
export const writeHolds = (tx: Tx, holds: Hold[]) => tx.run(writingHolds(holds))

/** The same, with how much is then held of their accounts: others wait for these, so it is one statement. */
export const writeHoldsOf = (tx: Tx, holds: Hold[], accounts: HeldAccount[]) =>
  tx.run(sql`with held as (${writingHeld(accounts)}) ${writingHolds(holds)}`)

const writingHolds = (holds: Hold[]) => sql`
    insert into ledger_holds (space_id, environment, id, account_id, amount, captured, released, owner, expires_at,
      created_at, updated_at)
    select space_id, environment, id, account_id, amount, captured, released, owner::json, expires_at, created_at,
      updated_at
    from unnest(${scopes(holds)}, ${uuids(holds.map((h) => h.id))}::uuid[],
      ${uuids(holds.map((h) => h.accountId))}::uuid[],
      ${bigints(holds.map((h) => h.amount))}::bigint[], ${bigints(holds.map((h) => h.captured))}::bigint[],
      ${bigints(holds.map((h) => h.released))}::bigint[],
      ${texts(holds.map((h) => JSON.stringify(h.owner)))}::text[],
      ${times(holds.map((h) => h.expiresAt))}::timestamptz[], ${times(holds.map((h) => h.createdAt))}::timestamptz[],
      ${times(holds.map((h) => h.updatedAt))}::timestamptz[])
      as hold (space_id, environment, id, account_id, amount, captured, released, owner, expires_at, created_at,
        updated_at)
    on conflict (space_id, environment, id) do update
    set captured = excluded.captured, released = excluded.released, updated_at = excluded.updated_at`
