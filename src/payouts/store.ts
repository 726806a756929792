import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import { walkBounded } from '../platform/db/bounded-walk.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach, type Scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import type { Listed, Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { FailureCode } from '../providers/connector.ts'
import type { ProviderType } from '../providers/provider.ts'

export type PayoutStatus = 'pending' | 'processing' | 'completed' | 'failed'
export type DestinationType = Exclude<ProviderType, 'card'>
export type Approval = 'required' | 'approved' | 'rejected'

/** Amounts in minor units; a fee's amount is text in the row and becomes a bigint where it is used. */
export type Payout = {
  id: string
  status: PayoutStatus
  amount: bigint
  currency: string
  fees: { code: string; amount: string }[]
  financialAccountId: string
  destinationType: DestinationType
  providerId: string
  /** E.164 for momo, an account number, a wallet id. */
  payeeAccount: string
  railReference: string
  railTransaction: string | null
  /** None when there was too little money. */
  holdId: string | null
  ledgerReference: string | null
  failureCode: FailureCode | null
  failureMessage: string | null
  /** The user that asked for it. */
  createdBy: string
  /** None when none was needed. */
  approval: Approval | null
  approvalUserId: string | null
  approvalAt: Date | null
  /** Nobody approved it, where somebody has to above an amount: it counts towards that amount for a day. */
  countsUnapproved: boolean
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

/**
 * Writes payouts as they are: new ones, and what changed of others, which must be locked. One statement along the
 * primary key: an update that joins them would, left to the planner's guesses, go through all of the Space's.
 */
export const writePayouts = (tx: Tx, payouts: Scoped<Payout>[]) =>
  tx.run(sql`
    insert into payouts (space_id, environment, id, status, amount, currency, fees, financial_account_id,
      destination_type, provider_id, payee_account, rail_reference, rail_transaction, hold_id, ledger_reference,
      failure_code, failure_message, created_by, approval,
      approval_user_id, approval_at, counts_unapproved, metadata, created_at, updated_at)
    select space_id, environment, id, status, amount, currency, fees::jsonb, financial_account_id,
      destination_type, provider_id, payee_account, rail_reference, rail_transaction, hold_id, ledger_reference,
      failure_code, failure_message, created_by, approval,
      approval_user_id, approval_at, counts_unapproved::boolean, metadata::json, created_at, updated_at
    from unnest(${scopes(payouts)}, ${uuids(payouts.map((p) => p.id))}::uuid[], ${texts(payouts.map((p) => p.status))}::text[],
      ${bigints(payouts.map((p) => p.amount))}::bigint[], ${texts(payouts.map((p) => p.currency))}::text[],
      ${texts(payouts.map((p) => JSON.stringify(p.fees)))}::text[],
      ${uuids(payouts.map((p) => p.financialAccountId))}::uuid[],
      ${texts(payouts.map((p) => p.destinationType))}::text[], ${texts(payouts.map((p) => p.providerId))}::text[],
      ${texts(payouts.map((p) => p.payeeAccount))}::text[],
      ${uuids(payouts.map((p) => p.railReference))}::uuid[], ${texts(payouts.map((p) => p.railTransaction))}::text[],
      ${uuids(payouts.map((p) => p.holdId))}::uuid[], ${texts(payouts.map((p) => p.ledgerReference))}::text[],
      ${texts(payouts.map((p) => p.failureCode))}::text[], ${texts(payouts.map((p) => p.failureMessage))}::text[],
      ${uuids(payouts.map((p) => p.createdBy))}::uuid[], ${texts(payouts.map((p) => p.approval))}::text[],
      ${uuids(payouts.map((p) => p.approvalUserId))}::uuid[],
      ${times(payouts.map((p) => p.approvalAt))}::timestamptz[],
      ${texts(payouts.map((p) => String(p.countsUnapproved)))}::text[],
      ${texts(payouts.map((p) => JSON.stringify(p.metadata)))}::text[],
      ${times(payouts.map((p) => p.createdAt))}::timestamptz[],
      ${times(payouts.map((p) => p.updatedAt))}::timestamptz[])
      as payout (space_id, environment, id, status, amount, currency, fees, financial_account_id, destination_type, provider_id,
        payee_account, rail_reference, rail_transaction, hold_id, ledger_reference, failure_code, failure_message, created_by, approval, approval_user_id, approval_at,
        counts_unapproved, metadata, created_at, updated_at)
    on conflict (space_id, environment, id) do update
    set status = excluded.status, rail_transaction = excluded.rail_transaction,
      ledger_reference = excluded.ledger_reference, failure_code = excluded.failure_code,
      failure_message = excluded.failure_message, approval = excluded.approval,
      approval_user_id = excluded.approval_user_id, approval_at = excluded.approval_at,
      metadata = excluded.metadata, updated_at = excluded.updated_at`)

/** Of `payouts payout`. */
const columns = sql`payout.id, payout.status, payout.amount, payout.currency, payout.fees,
  payout.financial_account_id, payout.destination_type, payout.provider_id, payout.payee_account,
  payout.rail_reference, payout.rail_transaction, payout.hold_id, payout.ledger_reference,
  payout.failure_code, payout.failure_message, payout.created_by,
  payout.approval, payout.approval_user_id, payout.approval_at, payout.counts_unapproved, payout.metadata,
  payout.created_at, payout.updated_at`

export const sharePayouts = (db: Database) =>
  shareReads<Payout>(
    db,
    sql`
      select ${columns} from payouts payout
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

/** Those of some rail references that stand for a payout. */
export const selectReferences = async (db: Reader, references: Scoped<{ reference: string }>[]) => {
  const rows = await db.query<{ railReference: string }>(sql`
    select taken.rail_reference
    from unnest(${scopes(references)}, ${uuids(references.map(({ reference }) => reference))}::uuid[])
      as wanted (space_id, environment, rail_reference)
    cross join lateral (
      select rail_reference from payouts
      where space_id = wanted.space_id and environment = wanted.environment
        and rail_reference = wanted.rail_reference
      offset 0
    ) taken`)
  return new Set(rows.map(({ railReference }) => railReference))
}

export const lockPayouts = (tx: Tx, wanted: Scoped<{ id: string }>[]) =>
  // every space: each id comes with its own
  lockEach<Payout>(tx, { from: sql`payouts payout`, columns }, wanted)

export type PayoutFilter = {
  status?: PayoutStatus
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
    select ${columns} from payouts payout
    where space_id = ${spaceId} and environment = ${environment}
      ${accountId === undefined ? nothing : sql`and financial_account_id = ${accountId}`}
      ${ledgerReference === undefined ? nothing : sql`and ledger_reference = ${ledgerReference}`}
      ${railTransaction === undefined ? nothing : sql`and rail_transaction = ${railTransaction}`}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}`
  const ofStatus = status && sql`status = ${status}`
  // Each filter alone has an index. A reference leads to few; an account may lead to all.
  if (ofStatus && accountId !== undefined && ledgerReference === undefined && railTransaction === undefined)
    return walkBounded(db, { ordered: all, column: sql`id`, fit: ofStatus, take: page.take })
  return db.query<Payout>(
    sql`${all} ${ofStatus ? sql`and ${ofStatus}` : nothing} order by id desc limit ${page.take}`,
  )
}
