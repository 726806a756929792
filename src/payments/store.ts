import type { Scope } from '../platform/clock.ts'
import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { realNow } from '../platform/db/real-time.ts'
import { shareReads } from '../platform/db/shared-reads.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { type Submit, submitColumns } from '../providers/conclusive.ts'
import type { FailureCode, PaidCard } from '../providers/connector.ts'
import type { ProviderType } from '../providers/provider.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed'
export type RailState = 'created' | 'submitting' | 'submitted' | 'unknown' | 'succeeded' | 'failed'

/** Amounts in minor units; a fee's amount is text in the row and becomes a bigint where it is used. */
export type Payment = {
  id: string
  status: PaymentStatus
  amount: bigint
  currency: string
  name: string
  reference: string | null
  orderId: string
  orderNumber: string
  originType: OwnerRef['type'] & ('checkout_session' | 'payment_code')
  originId: string
  /** The origin's metadata when the payment began. */
  originMetadata: Metadata
  financialAccountId: string
  channelType: ProviderType
  providerId: string
  /** None for a card. */
  payerAccount: string | null
  /** Of a card: known when it has paid. */
  payerFingerprint: string | null
  cardScheme: PaidCard['scheme'] | null
  cardLast4: string | null
  /** The rail's page, where the payer authorises, and where that sends them back to. */
  redirectUrl: string | null
  returnUrl: string | null
  redirectedAt: Date | null
  railState: RailState
  railReference: string
  railTransaction: string | null
  submittedAt: Date | null
  ledgerReference: string | null
  fees: { code: string; amount: string }[]
  failureCode: FailureCode | null
  failureMessage: string | null
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

/** New payments: what is known only later is not written. */
export function insertPayments(
  tx: Tx,
  { spaceId, environment }: Scope,
  payments: Payment[],
): Promise<number> {
  const all = (name: keyof Payment & string) =>
    texts(payments.map((payment) => payment[name] as string | null))
  const ids = (name: 'id' | 'orderId' | 'originId' | 'financialAccountId' | 'railReference') =>
    uuids(payments.map((payment) => payment[name]))
  return tx.run(sql`
    insert into payments (space_id, environment, id, status, amount, currency, name, reference, order_id, order_number,
      origin_type, origin_id, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint,
      return_url, rail_state, rail_reference, origin_metadata, metadata, created_at, updated_at)
    select ${spaceId}, ${environment}, id, status, amount, currency, name, reference, order_id, order_number,
      origin_type, origin_id, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint,
      return_url, rail_state, rail_reference, origin_metadata::json, metadata::json, created_at, updated_at
    from unnest(${ids('id')}::uuid[], ${all('status')}::text[],
      ${bigints(payments.map(({ amount }) => amount))}::bigint[], ${all('currency')}::text[], ${all('name')}::text[],
      ${all('reference')}::text[], ${ids('orderId')}::uuid[], ${all('orderNumber')}::text[],
      ${all('originType')}::text[], ${ids('originId')}::uuid[], ${ids('financialAccountId')}::uuid[],
      ${all('channelType')}::text[], ${all('providerId')}::text[], ${all('payerAccount')}::text[],
      ${all('payerFingerprint')}::text[], ${all('returnUrl')}::text[], ${all('railState')}::text[],
      ${ids('railReference')}::uuid[],
      ${texts(payments.map(({ originMetadata }) => JSON.stringify(originMetadata)))}::text[],
      ${texts(payments.map(({ metadata }) => JSON.stringify(metadata)))}::text[],
      ${times(payments.map(({ createdAt }) => createdAt))}::timestamptz[],
      ${times(payments.map(({ updatedAt }) => updatedAt))}::timestamptz[])
      as given (id, status, amount, currency, name, reference, order_id, order_number, origin_type, origin_id,
        financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint, return_url, rail_state,
        rail_reference, origin_metadata, metadata, created_at, updated_at)`)
}

const columns = sql`id, status, amount, currency, name, reference, order_id, order_number, origin_type, origin_id,
  origin_metadata, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint, card_scheme, card_last4,
  redirect_url, return_url, redirected_at, rail_state, rail_reference, rail_transaction, submitted_at, ledger_reference, fees, failure_code, failure_message, metadata, created_at,
  updated_at`

export const selectPayment = (db: Reader, { spaceId, environment }: Scope, id: string, lock: Sql = nothing) =>
  db.one<Payment>(sql`
    select ${columns} from payments
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

export const sharePayments = (db: Database) =>
  shareReads<Payment>(
    db,
    sql`
      select ${columns} from payments
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

/** The newest attempt to pay one thing, by the id of that. */
export const shareLastAttempts = (db: Database) =>
  shareReads<Payment>(
    db,
    sql`
      select ${columns} from payments
      where space_id = wanted.space_id and environment = wanted.environment and origin_id = wanted.id
      order by id desc limit 1`,
  )

/** A payment that was submitted, with how long ago. */
export const selectSubmitted = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<Payment & Submit>(sql`
    select ${columns}, ${submitColumns} from payments
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and submitted_at is not null`)

/** Those of some rail references that stand for a payment. */
export const selectReferences = async (db: Reader, { spaceId, environment }: Scope, references: string[]) => {
  const rows = await db.query<{ railReference: string }>(sql`
    select rail_reference from payments
    where space_id = ${spaceId} and environment = ${environment}
      and rail_reference = any(${uuids(references)}::uuid[])`)
  return new Set(rows.map(({ railReference }) => railReference))
}

export type PaymentFilter = {
  orderNumber?: string
  financialTransactionReference?: string
  accountId?: string
}

export const selectPayments = (
  db: Reader,
  { spaceId, environment }: Scope,
  filter: PaymentFilter,
  page: Page,
) =>
  db.query<Payment>(sql`
    select ${columns} from payments
    where space_id = ${spaceId} and environment = ${environment}
      ${filter.orderNumber === undefined ? nothing : sql`and order_number = ${filter.orderNumber}`}
      ${filter.accountId === undefined ? nothing : sql`and financial_account_id = ${filter.accountId}`}
      ${
        filter.financialTransactionReference === undefined
          ? nothing
          : sql`and ledger_reference = ${filter.financialTransactionReference}`
      }
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

/** All attempts to pay one thing, newest first. */
export const selectAttempts = (
  db: Reader,
  { spaceId, environment }: Scope,
  originId: string,
  atMost: number,
) =>
  db.query<Payment>(sql`
    select ${columns} from payments
    where space_id = ${spaceId} and environment = ${environment} and origin_id = ${originId}
    order by id desc limit ${atMost}`)

/** The same of many things, along the index one by one (`offset 0`). */
export const selectAttemptsOfEach = (
  db: Reader,
  { spaceId, environment }: Scope,
  originIds: string[],
  atMost: number,
) =>
  db.query<Payment>(sql`
    select attempt.* from unnest(${uuids(originIds)}::uuid[]) as wanted (id) cross join lateral (
      select ${columns} from payments
      where space_id = ${spaceId} and environment = ${environment} and origin_id = wanted.id
      order by id desc limit ${atMost} offset 0
    ) attempt`)

export const updateDetails = (tx: Tx, { spaceId, environment }: Scope, payment: Payment) =>
  tx.run(sql`
    update payments set name = ${payment.name}, metadata = ${payment.metadata}, updated_at = ${payment.updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and id = ${payment.id}`)

/** Compare and set: answers the payment when it was in `from`, else nothing and changes nothing. */
export const moveToRail = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  move: { from: RailState; to: RailState; status: PaymentStatus; redirectUrl?: string; at: Date },
) =>
  tx.one<Payment>(sql`
    update payments set rail_state = ${move.to}, status = ${move.status}, updated_at = ${move.at},
      submitted_at = coalesce(submitted_at, ${move.at}),
      redirect_url = coalesce(redirect_url, ${move.redirectUrl ?? null}),
      submitting_since = coalesce(submitting_since, ${realNow}),
      call_ended_since = case when ${move.to}::text <> 'submitting' then ${realNow} end
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and rail_state = ${move.from}
    returning ${columns}`)

/** A rail told its page after all. */
export const keepRedirect = (tx: Tx, { spaceId, environment }: Scope, id: string, redirectUrl: string) =>
  tx.run(sql`
    update payments set redirect_url = ${redirectUrl}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and redirect_url is null
      and status = 'processing'`)

/** Compare and set: answers the payment the first time only. */
export const markRedirected = (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  tx.one<Payment>(sql`
    update payments set redirected_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and status = 'processing'
      and redirect_url is not null and redirected_at is null
    returning ${columns}`)

/** Compare and set: answers the payment the first time only. */
export const markReturned = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  originId: string,
  at: Date,
) =>
  tx.one<Payment>(sql`
    update payments set returned_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and origin_id = ${originId}
      and redirect_url is not null and returned_at is null
    returning ${columns}`)

/** In order of creation, always. */
export const lockPayments = (tx: Tx, { spaceId, environment }: Scope, ids: string[]) =>
  tx.query<Payment>(sql`
    select ${columns} from payments
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])
    order by id for update`)

/** Writes how locked payments completed. */
export const updateCompleted = (tx: Tx, { spaceId, environment }: Scope, payments: Payment[]) =>
  tx.run(sql`
    update payments payment set status = 'completed', rail_state = 'succeeded',
      ledger_reference = done.ledger_reference, rail_transaction = done.rail_transaction, fees = done.fees::jsonb,
      payer_fingerprint = done.payer_fingerprint, card_scheme = done.card_scheme, card_last4 = done.card_last4,
      updated_at = done.at
    from unnest(${uuids(payments.map((p) => p.id))}::uuid[], ${texts(payments.map((p) => p.ledgerReference))}::text[],
      ${texts(payments.map((p) => p.railTransaction))}::text[],
      ${texts(payments.map((p) => JSON.stringify(p.fees)))}::text[],
      ${texts(payments.map((p) => p.payerFingerprint))}::text[], ${texts(payments.map((p) => p.cardScheme))}::text[],
      ${texts(payments.map((p) => p.cardLast4))}::text[], ${times(payments.map((p) => p.updatedAt))}::timestamptz[])
      as done (id, ledger_reference, rail_transaction, fees, payer_fingerprint, card_scheme, card_last4, at)
    where payment.space_id = ${spaceId} and payment.environment = ${environment} and payment.id = done.id`)

export const markFailed = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  end: { code: FailureCode; message: string; at: Date },
) =>
  tx.one<Payment>(sql`
    update payments set status = 'failed', rail_state = 'failed', failure_code = ${end.code},
      failure_message = ${end.message}, updated_at = ${end.at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}
      and status in ('pending', 'processing')
    returning ${columns}`)
