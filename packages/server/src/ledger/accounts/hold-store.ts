import { bigint, json, orNull, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byId, lockEach, selectEach } from '../../platform/db/lookups.ts'
import { inLockOrder, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { assertLockedOnce, ledgerAccounts } from './store.ts'

/**
 * Money that is reserved in an account. A hold is open until all of it has been captured or released. Amounts
 * are in minor units.
 */
const holds = table('ledger_holds', ['id'], {
  id: uuid,
  accountId: uuid,
  amount: bigint,
  captured: bigint,
  released: bigint,
  owner: json<OwnerRef>(),
  expiresAt: orNull(time),
  createdAt: time,
  updatedAt: time,
})
export type Hold = Scoped<RowOf<typeof holds>>

const heldAccounts = ledgerAccounts.without('purpose', 'providerId', 'direction')
/** An account that has been locked. */
export type HeldAccount = Scoped<RowOf<typeof heldAccounts>>

/** Locks accounts in the global order. Returns the accounts that exist. */
export function lockAccounts(tx: Tx, ids: Scoped<{ id: string }>[]): Promise<HeldAccount[]> {
  assertLockedOnce(tx, ids)
  return selectEach(
    tx,
    byId(inLockOrder(ids)),
    sql`
      select ${heldAccounts.columns} from ledger_accounts
      where space_id = requested.space_id and environment = requested.environment and id = requested.id
      for no key update`,
  )
}

/**
 * Writes the held amounts of locked accounts. All of these accounts exist, so rows are only updated, by primary
 * key.
 */
const writingHeld = (accounts: HeldAccount[]) => sql`
    ${heldAccounts.insert(accounts)}
    on conflict (space_id, environment, id) do update set held = excluded.held`

/** Locks holds. A hold is always locked before its account. */
export const lockHolds = (tx: Tx, ids: Scoped<{ id: string }>[]): Promise<Hold[]> =>
  lockEach(tx, ids, holds.requested)

const upsert = holds.upsert('captured', 'released', 'updatedAt')

/**
 * Writes new holds and changes to locked holds, by primary key, together with the held amounts of their
 * accounts. This takes a single statement, because other transactions wait for these locks.
 */
export function writeHolds(tx: Tx, { holds, accounts }: { holds: Hold[]; accounts: HeldAccount[] }) {
  if (holds.length === 0) return
  tx.send(accounts.length > 0 ? sql`with held as (${writingHeld(accounts)}) ${upsert(holds)}` : upsert(holds))
}

/** Lists the open holds of an account, newest first. */
export const selectOpenHolds = (db: Reader, scope: Scope, accountId: string, page: Page) =>
  db.query(sql`
    ${holds.of(scope)} and account_id = ${accountId}
      and captured + released < amount ${inPage(page)}
    order by id desc limit ${page.take}`)
