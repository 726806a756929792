import { type MovedStatus, movedColumns, selectReferencesOf } from '../instructions/moved-rows.ts'
import { walkBounded } from '../platform/db/bounded-walk.ts'
import { boolean, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach } from '../platform/db/lookups.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import type { Listed, Page } from '../platform/http/route.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { ProviderType } from '../providers/provider.ts'

export type DestinationType = Exclude<ProviderType, 'card'>
export type Approval = 'required' | 'approved' | 'rejected'

const payouts = table('payouts', ['id'], {
  ...movedColumns,
  destinationType: textOf<DestinationType>(),
  /** E.164 for momo, an account number, a wallet id. */
  payeeAccount: text,
  /** None when there was too little money. */
  holdId: orNull(uuid),
  /** A user. */
  createdBy: uuid,
  /** None where none was needed. */
  approval: orNull(textOf<Approval>()),
  approvalUserId: orNull(uuid),
  approvalAt: orNull(time),
  /** It needed no approval, where larger amounts do: it counts towards that amount for a day. */
  countsUnapproved: boolean,
})
export type Payout = RowOf<typeof payouts>

const upsert = payouts.upsert(
  'status',
  'railTransaction',
  'ledgerReference',
  'failureCode',
  'failureMessage',
  'approval',
  'approvalUserId',
  'approvalAt',
  'metadata',
  'updatedAt',
)

/**
 * Writes payouts as they are: new ones, and what changed of others, which must be locked. One statement along the
 * primary key: an update that joins them would, left to the planner's guesses, go through all of the Space's.
 */
export const writePayouts = (tx: Tx, written: Scoped<Payout>[]) => tx.run(upsert(written))

export const sharePayouts = (db: Database) => shareReads(db, payouts.requested)

/** Those of some rail references that payouts have. */
export const selectReferences = (db: Reader, references: Scoped<{ reference: string }>[]) =>
  selectReferencesOf(db, sql`payouts`, references)

export const lockPayouts = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, payouts.requested)

export type PayoutFilter = {
  status?: MovedStatus
  accountId?: string
  ledgerReference?: string
  railTransaction?: string
}

export async function selectPayouts(
  db: Database,
  { spaceId, environment }: Scope,
  { status, accountId, ledgerReference, railTransaction }: PayoutFilter,
  page: Page,
): Promise<Listed<Payout>> {
  const all = sql`
    select ${payouts.columns} from payouts
    where space_id = ${spaceId} and environment = ${environment}
      ${accountId === undefined ? nothing : sql`and financial_account_id = ${accountId}`}
      ${ledgerReference === undefined ? nothing : sql`and ledger_reference = ${ledgerReference}`}
      ${railTransaction === undefined ? nothing : sql`and rail_transaction = ${railTransaction}`}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}`
  const ofStatus = status && sql`status = ${status}`
  // Each filter alone has an index. A reference leads to few; an account may lead to all.
  if (ofStatus && accountId !== undefined && ledgerReference === undefined && railTransaction === undefined)
    return walkBounded(db, { ordered: all, column: sql`id`, fit: ofStatus, take: page.take })
  return db.query(
    sql`${all} ${ofStatus ? sql`and ${ofStatus}` : nothing} order by id desc limit ${page.take}`,
  )
}
