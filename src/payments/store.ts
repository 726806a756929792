import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach, type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { FailureCode, PaidCard } from '../providers/connector.ts'
import type { Guidance } from '../providers/guidance.ts'
import type { ProviderType } from '../providers/provider.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed'

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
  /** The rail's page, where the payer authorises. */
  redirectUrl: string | null
  redirectedAt: Date | null
  /** What the payer has to do, in the provider's words. */
  guidance: Guidance | null
  railReference: string
  railTransaction: string | null
  ledgerReference: string | null
  fees: { code: string; amount: string }[]
  failureCode: FailureCode | null
  failureMessage: string | null
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

/** New payments: what is known only later is not written. */
export function insertPayments(tx: Tx, payments: Scoped<Payment>[]): Promise<number> {
  const all = (name: keyof Payment & string) =>
    texts(payments.map((payment) => payment[name] as string | null))
  const ids = (name: 'id' | 'orderId' | 'originId' | 'financialAccountId' | 'railReference') =>
    uuids(payments.map((payment) => payment[name]))
  return tx.run(sql`
    insert into payments (space_id, environment, id, status, amount, currency, name, reference, order_id, order_number,
      origin_type, origin_id, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint,
      rail_reference, origin_metadata, metadata, created_at, updated_at)
    select space_id, environment, id, status, amount, currency, name, reference, order_id, order_number,
      origin_type, origin_id, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint,
      rail_reference, origin_metadata::json, metadata::json, created_at, updated_at
    from unnest(${scopes(payments)}, ${ids('id')}::uuid[], ${all('status')}::text[],
      ${bigints(payments.map(({ amount }) => amount))}::bigint[], ${all('currency')}::text[], ${all('name')}::text[],
      ${all('reference')}::text[], ${ids('orderId')}::uuid[], ${all('orderNumber')}::text[],
      ${all('originType')}::text[], ${ids('originId')}::uuid[], ${ids('financialAccountId')}::uuid[],
      ${all('channelType')}::text[], ${all('providerId')}::text[], ${all('payerAccount')}::text[],
      ${all('payerFingerprint')}::text[], ${ids('railReference')}::uuid[],
      ${texts(payments.map(({ originMetadata }) => JSON.stringify(originMetadata)))}::text[],
      ${texts(payments.map(({ metadata }) => JSON.stringify(metadata)))}::text[],
      ${times(payments.map(({ createdAt }) => createdAt))}::timestamptz[],
      ${times(payments.map(({ updatedAt }) => updatedAt))}::timestamptz[])
      as given (space_id, environment, id, status, amount, currency, name, reference, order_id, order_number,
        origin_type, origin_id, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint,
        rail_reference, origin_metadata, metadata, created_at, updated_at)`)
}

const columns = sql`id, status, amount, currency, name, reference, order_id, order_number, origin_type, origin_id,
  origin_metadata, financial_account_id, channel_type, provider_id, payer_account, payer_fingerprint, card_scheme, card_last4,
  redirect_url, redirected_at, guidance, rail_reference, rail_transaction, ledger_reference, fees, failure_code, failure_message, metadata, created_at,
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
      -- Left to itself the planner may go back through all payments of the Space.
      select * from (
        select ${columns} from payments
        where space_id = wanted.space_id and environment = wanted.environment and origin_id = wanted.id offset 0
      ) attempt
      order by id desc limit 1`,
  )

/** Those of some rail references that stand for a payment. */
export const selectReferences = async (db: Reader, wanted: Scoped<{ reference: string }>[]) => {
  const rows = await db.query<{ railReference: string }>(sql`
    select taken.rail_reference
    from unnest(${scopes(wanted)}, ${uuids(wanted.map(({ reference }) => reference))}::uuid[])
      as wanted (space_id, environment, rail_reference)
    cross join lateral (
      select rail_reference from payments p
      where p.space_id = wanted.space_id and p.environment = wanted.environment
        and p.rail_reference = wanted.rail_reference
      offset 0
    ) taken`)
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
export const selectAttemptsOfEach = async (db: Reader, origins: Scoped<{ id: string }>[], atMost: number) =>
  (
    await db.query<Scope & Payment>(sql`
      select attempt.* from unnest(${scopes(origins)}, ${uuids(origins.map(({ id }) => id))}::uuid[])
        as wanted (space_id, environment, id)
      cross join lateral (
        select space_id, environment, ${columns} from payments p
        where p.space_id = wanted.space_id and p.environment = wanted.environment and p.origin_id = wanted.id
        order by p.id desc limit ${atMost} offset 0
      ) attempt`)
  ).map(scoped)

export const updateDetails = (tx: Tx, { spaceId, environment }: Scope, payment: Payment) =>
  tx.run(sql`
    update payments set name = ${payment.name}, metadata = ${payment.metadata}, updated_at = ${payment.updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and id = ${payment.id}`)

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

export const lockPayments = (tx: Tx, wanted: Scoped<{ id: string }>[]) =>
  lockEach<Payment>(tx, { from: sql`payments`, columns }, wanted)

/** Writes what became of locked payments. */
export const writeMoved = (tx: Tx, payments: Scoped<Payment>[]) =>
  tx.run(sql`
    update payments payment set status = moved.status, ledger_reference = moved.ledger_reference,
      rail_transaction = moved.rail_transaction, fees = moved.fees::jsonb, redirect_url = moved.redirect_url,
      guidance = moved.guidance::json,
      payer_fingerprint = moved.payer_fingerprint, card_scheme = moved.card_scheme, card_last4 = moved.card_last4,
      failure_code = moved.failure_code, failure_message = moved.failure_message, updated_at = moved.at
    from unnest(${scopes(payments)}, ${uuids(payments.map((p) => p.id))}::uuid[],
      ${texts(payments.map((p) => p.status))}::text[], ${texts(payments.map((p) => p.ledgerReference))}::text[],
      ${texts(payments.map((p) => p.railTransaction))}::text[],
      ${texts(payments.map((p) => JSON.stringify(p.fees)))}::text[], ${texts(payments.map((p) => p.redirectUrl))}::text[],
      ${texts(payments.map((p) => p.guidance && JSON.stringify(p.guidance)))}::text[],
      ${texts(payments.map((p) => p.payerFingerprint))}::text[], ${texts(payments.map((p) => p.cardScheme))}::text[],
      ${texts(payments.map((p) => p.cardLast4))}::text[], ${texts(payments.map((p) => p.failureCode))}::text[],
      ${texts(payments.map((p) => p.failureMessage))}::text[],
      ${times(payments.map((p) => p.updatedAt))}::timestamptz[])
      as moved (space_id, environment, id, status, ledger_reference, rail_transaction, fees, redirect_url,
        guidance, payer_fingerprint, card_scheme, card_last4, failure_code, failure_message, at)
    where payment.space_id = moved.space_id and payment.environment = moved.environment and payment.id = moved.id`)
