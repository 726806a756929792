import type { Scope } from '../platform/clock.ts'
import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { FailureCode } from '../providers/connector.ts'
import type { ProviderType } from '../providers/provider.ts'

export type PayoutStatus = 'pending' | 'processing' | 'completed' | 'failed'
export type RailState =
  | 'awaiting_approval'
  | 'queued'
  | 'submitting'
  | 'submitted'
  | 'unknown'
  | 'succeeded'
  | 'failed'
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
  railState: RailState
  railReference: string
  railTransaction: string | null
  /** None when there was too little money. */
  holdId: string | null
  ledgerReference: string | null
  submittedAt: Date | null
  /** When the answer to the submit was recorded, or that there was none. */
  answeredAt: Date | null
  delayedAt: Date | null
  failureCode: FailureCode | null
  failureMessage: string | null
  /** The user that asked for it. */
  createdBy: string
  /** None when none was needed. */
  approval: Approval | null
  approvalUserId: string | null
  approvalAt: Date | null
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

export const insertPayouts = (tx: Tx, { spaceId, environment }: Scope, payouts: Payout[]) =>
  tx.run(sql`
    insert into payouts (space_id, environment, id, status, amount, currency, fees, financial_account_id,
      destination_type, provider_id, payee_account, rail_state, rail_reference, hold_id, failure_code,
      failure_message, created_by, approval, metadata, created_at, updated_at)
    select ${spaceId}, ${environment}, id, status, amount, currency, fees::jsonb, financial_account_id,
      destination_type, provider_id, payee_account, rail_state, rail_reference, hold_id, failure_code,
      failure_message, created_by, approval, metadata::json, created_at, created_at
    from unnest(${uuids(payouts.map((p) => p.id))}::uuid[], ${texts(payouts.map((p) => p.status))}::text[],
      ${bigints(payouts.map((p) => p.amount))}::bigint[], ${texts(payouts.map((p) => p.currency))}::text[],
      ${texts(payouts.map((p) => JSON.stringify(p.fees)))}::text[],
      ${uuids(payouts.map((p) => p.financialAccountId))}::uuid[],
      ${texts(payouts.map((p) => p.destinationType))}::text[], ${texts(payouts.map((p) => p.providerId))}::text[],
      ${texts(payouts.map((p) => p.payeeAccount))}::text[], ${texts(payouts.map((p) => p.railState))}::text[],
      ${uuids(payouts.map((p) => p.railReference))}::uuid[], ${uuids(payouts.map((p) => p.holdId))}::uuid[],
      ${texts(payouts.map((p) => p.failureCode))}::text[], ${texts(payouts.map((p) => p.failureMessage))}::text[],
      ${uuids(payouts.map((p) => p.createdBy))}::uuid[], ${texts(payouts.map((p) => p.approval))}::text[],
      ${texts(payouts.map((p) => JSON.stringify(p.metadata)))}::text[],
      ${times(payouts.map((p) => p.createdAt))}::timestamptz[])
      as payout (id, status, amount, currency, fees, financial_account_id, destination_type, provider_id,
        payee_account, rail_state, rail_reference, hold_id, failure_code, failure_message, created_by, approval,
        metadata, created_at)`)

/** Of `payouts payout`. */
export const columns = sql`payout.id, payout.status, payout.amount, payout.currency, payout.fees,
  payout.financial_account_id, payout.destination_type, payout.provider_id, payout.payee_account, payout.rail_state,
  payout.rail_reference, payout.rail_transaction, payout.hold_id, payout.ledger_reference, payout.submitted_at,
  payout.answered_at, payout.delayed_at, payout.failure_code, payout.failure_message, payout.created_by,
  payout.approval, payout.approval_user_id, payout.approval_at, payout.metadata, payout.created_at,
  payout.updated_at`

export const selectPayout = (db: Reader, { spaceId, environment }: Scope, id: string, lock: Sql = nothing) =>
  db.one<Payout>(sql`
    select ${columns} from payouts payout
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

/** In order of creation, always. */
export const lockPayouts = (tx: Tx, { spaceId, environment }: Scope, ids: string[]) =>
  tx.query<Payout>(sql`
    select ${columns} from payouts payout
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])
    order by id for update`)

export type PayoutFilter = {
  status?: PayoutStatus
  accountId?: string
  ledgerReference?: string
  railTransaction?: string
}

export const selectPayouts = (
  db: Reader,
  { spaceId, environment }: Scope,
  { status, accountId, ledgerReference, railTransaction }: PayoutFilter,
  page: Page,
) =>
  db.query<Payout>(sql`
    select ${columns} from payouts payout
    where space_id = ${spaceId} and environment = ${environment}
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${accountId === undefined ? nothing : sql`and financial_account_id = ${accountId}`}
      ${ledgerReference === undefined ? nothing : sql`and ledger_reference = ${ledgerReference}`}
      ${railTransaction === undefined ? nothing : sql`and rail_transaction = ${railTransaction}`}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

/** Writes what changes after payouts were made. They must be locked. */
export const updatePayouts = (tx: Tx, { spaceId, environment }: Scope, payouts: Payout[]) =>
  tx.run(sql`
    update payouts payout set status = changed.status, rail_state = changed.rail_state,
      rail_transaction = changed.rail_transaction, ledger_reference = changed.ledger_reference,
      submitted_at = changed.submitted_at, answered_at = changed.answered_at, delayed_at = changed.delayed_at,
      failure_code = changed.failure_code, failure_message = changed.failure_message, approval = changed.approval,
      approval_user_id = changed.approval_user_id, approval_at = changed.approval_at,
      metadata = changed.metadata::json, updated_at = changed.updated_at
    from unnest(${uuids(payouts.map((p) => p.id))}::uuid[], ${texts(payouts.map((p) => p.status))}::text[],
      ${texts(payouts.map((p) => p.railState))}::text[], ${texts(payouts.map((p) => p.railTransaction))}::text[],
      ${texts(payouts.map((p) => p.ledgerReference))}::text[],
      ${times(payouts.map((p) => p.submittedAt))}::timestamptz[],
      ${times(payouts.map((p) => p.answeredAt))}::timestamptz[],
      ${times(payouts.map((p) => p.delayedAt))}::timestamptz[],
      ${texts(payouts.map((p) => p.failureCode))}::text[], ${texts(payouts.map((p) => p.failureMessage))}::text[],
      ${texts(payouts.map((p) => p.approval))}::text[], ${uuids(payouts.map((p) => p.approvalUserId))}::uuid[],
      ${times(payouts.map((p) => p.approvalAt))}::timestamptz[],
      ${texts(payouts.map((p) => JSON.stringify(p.metadata)))}::text[],
      ${times(payouts.map((p) => p.updatedAt))}::timestamptz[])
      as changed (id, status, rail_state, rail_transaction, ledger_reference, submitted_at, answered_at, delayed_at,
        failure_code, failure_message, approval, approval_user_id, approval_at, metadata, updated_at)
    where payout.space_id = ${spaceId} and payout.environment = ${environment} and payout.id = changed.id`)
