import type { ProviderType } from '@pesewa/connector-kit'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { uuids } from '../../platform/db/arrays.ts'
import { bigint, boolean, encrypted, integer, orNull, textOf, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { lockEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { eraseAccounts } from '../../rails/instructions/erasing-store.ts'
import { countIn } from '../../rails/instructions/transaction-counts.ts'
import {
  type PhoneColumns,
  phoneIn,
  type ScopedPhone,
  transactionFilters,
  transactionSearch,
} from '../../rails/instructions/transaction-filters.ts'
import { outcomeColumns, transactionColumns } from '../../rails/instructions/transaction-rows.ts'
import type { TransactionFilter } from '../../rails/instructions/transaction-shapes.ts'
import { erased } from '../../tenants/retention/person.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { approvalColumnNames, approvalColumns } from '../approvals/approvals.ts'

export type DestinationType = Exclude<ProviderType, 'card'>

const payouts = table('payouts', ['id'], {
  ...transactionColumns,
  destinationType: textOf<DestinationType>(),
  /** A phone number in E.164 format for `momo`, otherwise an account number or a wallet id. */
  payeeAccount: encrypted('payouts.payee_account'),
  /** Null if the balance did not cover the payout. */
  holdId: orNull(uuid),
  /** The user's id. */
  createdBy: uuid,
  ...approvalColumns,
  /**
   * True if the payout needed no approval, although a larger amount would have. Its amount then counts, for a
   * day, towards the totals above which approval is needed.
   */
  countsUnapproved: boolean,
  /** The batch that the payout belongs to, and its row in the batch. */
  batchId: orNull(uuid),
  batchRow: orNull(integer),
  /** Amount that recalls have requested or returned, in minor units. */
  recalled: bigint,
})
export type Payout = RowOf<typeof payouts>

const upsert = payouts.upsert(...outcomeColumns, ...approvalColumnNames, 'recalled', 'metadata')

/**
 * Writes new payouts and changed payouts. Changed payouts must be locked. All rows are upserted by primary key
 * in one statement, because for an update with a join, the planner might read all of the Space's rows.
 */
export const writePayouts = (tx: Tx, written: Scoped<Payout>[]) => tx.send(upsert(written))

export const sharePayouts = (db: Database) => shareReads(db, payouts.requested)

export const lockPayouts = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, payouts.requested)

export const selectPayout = (db: Reader, scope: Scope, id: string) =>
  db.one(sql`${payouts.of(scope)} and id = ${id}`)

export type PayoutFilter = TransactionFilter &
  FilterOf<Payout, 'batchId' | 'ledgerReference' | 'railTransaction'> & { accountId?: string | undefined }

const payee: PhoneColumns = { account: sql`payee_account`, isPhone: sql`destination_type = 'momo'` }

export async function selectPayouts(db: Database, scope: Scope, filter: PayoutFilter, page: Page) {
  const { q, accountId, batchId, ledgerReference, railTransaction } = filter
  const ofAccount = equals(sql`financial_account_id`, sql`uuid`, accountId, { leadsTo: 'many' })
  const phone = await phoneIn(db, scope, q)
  return selectFiltered(db, payouts, scope, page, [
    nameFilter(q, (text) => namesOf(text, phone)),
    equals(sql`ledger_reference`, sql`text`, ledgerReference, { leadsTo: 'few' }),
    equals(sql`batch_id`, sql`uuid`, batchId, { leadsTo: 'many' }),
    equals(sql`rail_transaction`, sql`text`, railTransaction, { leadsTo: 'many' }),
    ...transactionFilters(scope, filter, payee, ofAccount),
  ])
}

export const countPayouts = countIn(payouts)

/** Returns conditions that match `q` as an external reference, or as the id of a payout or an account. */
function namesOf(q: string, phone: ScopedPhone | undefined): Names {
  const object = readObjectId(q)
  const { few, many } = transactionSearch(q, phone, payee)
  if (!object) return { few, many }
  return object.ids === accountIds
    ? { few, many: [sql`financial_account_id = ${object.id}`, ...many] }
    : { few: [sql`id = ${object.id}`, ...few], many }
}

/** Returns the payouts that match a condition, which may end with an order and a limit. */
export const selectPayoutRows = (db: Reader, scope: Scope, condition: Sql) =>
  db.query(sql`${payouts.of(scope)} ${condition}`)

/** Erases the payees' accounts from payouts that have an outcome. */
export async function erasePayees(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  const { spaceId, environment } = scope
  const objects = ids.map((id) => ({ scope, id }))
  await lockPayouts(tx, objects)
  await markChanging(tx, 'payout', payouts.table, objects)
  await tx.run(sql`
    update payouts set payee_account = ${erased}, payee_account_encrypted = null, payee_account_last = null
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)
  await eraseAccounts(tx, scope, ids)
}
