import { paymentIds } from '../../money/payments/resources.ts'
import { texts, uuids } from '../../platform/db/arrays.ts'
import {
  bigint,
  boolean,
  encrypted,
  encryptedName,
  integer,
  json,
  orNull,
  text,
  textArray,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Database, HomeTx, Reader, Tx } from '../../platform/db/database.ts'
import { isEither } from '../../platform/db/encryption.ts'
import { lockEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { encryptedColumn, unnestScoped } from '../../platform/db/unnest.ts'
import type { Claim, LostClaims } from '../../platform/http/commands/claims.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type FilterOf,
  inPage,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { firstId } from '../../platform/ids.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { erasedMask } from '../../tenants/retention/person.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import type { SessionStatus } from '../checkout/states.ts'
import { type CodeStatus, statuses } from './states.ts'

export const modes = ['one_time', 'recurrent'] as const
export type CodeMode = (typeof modes)[number]

/** A completed payment as shown in its code, with amounts in minor units and ids in their public form. */
export type Processed = {
  amount: { currency: string; value: number }
  orderId: string
  paymentId: string
  orderNumber: string
  channelData: { providerId: string; accountId: string; reference: string | null }
  financialTransactionReference: string
  metadata: Metadata
}

const codes = table('payment_codes', ['id'], {
  id: uuid,
  /** Ten digits. */
  number: text,
  mode: textOf<CodeMode>(),
  status: textOf<CodeStatus>(),
  name: text,
  /** In minor units of `currency`; null if the payer types the amount. */
  amount: orNull(bigint),
  currency: text,
  enabled: boolean,
  customerName: orNull(encryptedName('payment_codes.customer_name')),
  reference: orNull(text),
  authorizedProviders: orNull(textArray),
  /** In E.164 format. */
  authorizedPhoneNumber: orNull(encrypted('payment_codes.authorized_phone_number')),
  /** Target of a recurrent code. The code completes when either the count or the total is reached. */
  expectedCount: orNull(integer),
  expectedTotal: orNull(bigint),
  financialAccountId: uuid,
  /** Number and total amount of completed payments. */
  paidCount: integer,
  paidTotal: bigint,
  /** Consecutive failed attempts since the last completed payment or the last change. */
  failedCount: integer,
  /** The last completed payment. */
  processed: orNull(json<Processed>()),
  metadata: json<Metadata>(),
  /** Idempotency key of the request that created the code. */
  idempotencyKey: orNull(text),
  /** The checkout session that the code pays; null for a code of the merchant. Its columns never change. */
  checkoutSessionId: orNull(uuid),
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
})
export type PaymentCode = RowOf<typeof codes>

/** Claims the numbers that no other code has ever had, and returns the ids of their codes. No two Spaces can have the same number. */
export async function claimNumbers(tx: HomeTx, claims: Scoped<Claim>[]): Promise<Set<string>> {
  const claimed = await tx.query<{ id: string }>(sql`
    insert into payment_code_numbers (number, environment, space_id, payment_code_id)
    select text, environment, space_id, id from ${claimRows(claims)}
    order by text
    on conflict (number) do update set payment_code_id = excluded.payment_code_id where payment_code_numbers.payment_code_id = excluded.payment_code_id
    returning payment_code_id as id`)
  return new Set(claimed.map(({ id }) => id))
}

const claimRows = unnestScoped({ text, id: uuid })

/**
 * Returns claims without a code that were made before a time, among the next `count` numbers after `after`, and the last of these
 * numbers.
 */
export const selectLostNumbers = (db: Reader, before: Date, after: string, count: number) =>
  // every space: numbers belong to the directory, which leads to the Space
  db.only<LostClaims>(sql`
    select max(number) as last, coalesce(array_agg(number) filter (where is_lost), '{}') as lost
    from (
      select number, payment_code_id < ${firstId(before)}::uuid and not exists (
          select 1 from payment_codes code
          where code.space_id = directory.space_id and code.environment = directory.environment
            and code.id = directory.payment_code_id) as is_lost
      from payment_code_numbers directory where number > ${after} order by number limit ${count}
    ) next`)

/** Frees those of these numbers that were claimed before a time. Another node may have freed one, and a new code may have it now. */
export const freeNumbers = (tx: HomeTx, numbers: string[], before: Date) =>
  tx.run(sql`
    delete from payment_code_numbers
    where number = any(${texts(numbers)}::text[]) and payment_code_id < ${firstId(before)}::uuid`)

/** Returns a statement that inserts codes. It can run on its own or as part of a larger statement. */
export const insertCodes = codes.insert

export const insertCode = (tx: Tx, scope: Scope, code: PaymentCode) =>
  tx.run(insertCodes([{ ...code, scope }]))

const updateChanged = codes.update(
  ...(['status', 'name', 'amount', 'enabled', 'customerName', 'reference', 'authorizedProviders'] as const),
  ...([
    'authorizedPhoneNumber',
    'expectedCount',
    'expectedTotal',
    'financialAccountId',
    'paidCount',
  ] as const),
  ...(['paidTotal', 'failedCount', 'processed', 'metadata', 'expiresAt', 'updatedAt'] as const),
)

/** Writes all columns of a code that can change. */
export const updateCode = (tx: Tx, scope: Scope, code: PaymentCode) =>
  tx.run(updateChanged([{ ...code, scope }]))

const updateCounts = codes.update('status', 'paidCount', 'paidTotal', 'failedCount', 'processed', 'updatedAt')

/** Writes the columns that payments change. The codes' rows must be locked. */
export const updateCodes = (tx: Tx, paid: Scoped<PaymentCode>[]) => tx.send(updateCounts(paid))

const columns = codes.columnsOf('code')

/** The merchant's codes, without those of checkout sessions. */
const merchantCodes = {
  table: codes.table,
  of: (scope: Scope) => sql`${codes.of(scope)} and checkout_session_id is null`,
}

export const selectCode = (db: Reader, scope: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`${merchantCodes.of(scope)} and id = ${id} ${lock}`)

export const shareCodes = (db: Database) =>
  shareReads(db, sql`${codes.requested} and checkout_session_id is null`)

/** Returns the code with which a checkout session can be paid, if it has one. */
export const selectSessionCode = (db: Reader, scope: Scope, sessionId: string) =>
  db.one(sql`${codes.of(scope)} and checkout_session_id = ${sessionId}`)

export const lockCodes = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, codes.requested)

const updateStatus = codes.update('status', 'updatedAt')

/** Sets the status of locked codes to `processing`, because they have a payment in flight. */
export const markProcessing = (tx: Tx, moved: Scoped<Pick<PaymentCode, 'id' | 'updatedAt'>>[]) =>
  tx.run(updateStatus(moved.map((code) => ({ ...code, status: 'processing' }))))

export type DialledRow = PaymentCode & {
  spaceId: string
  payee: string
  country: string
  isSuspended: boolean
  sessionStatus: SessionStatus | null
}

/**
 * Returns the codes with the given dialled numbers, together with their payees and the status of their checkout
 * sessions. Every look-up uses a primary key; no table is scanned.
 */
export const selectDialled = (db: Reader, environment: Environment, numbers: string[]) =>
  // every space: a payer dials only digits, which do not identify a Space
  db.query<DialledRow>(sql`
    select dialled.*
    from unnest(${numbers}::text[]) requested (number)
    cross join lateral (
      select ${columns}, space.id as space_id, coalesce(brand.name, space.name) as payee, space.country,
        space.suspended_at is not null as is_suspended, session.status as session_status
      from payment_code_numbers numbers
      join payment_codes code on code.space_id = numbers.space_id and code.environment = numbers.environment
        and code.id = numbers.payment_code_id
      join spaces space on space.id = numbers.space_id
      left join brands brand on brand.space_id = code.space_id and brand.environment = code.environment
      left join checkout_sessions session on session.space_id = code.space_id
        and session.environment = code.environment and session.id = code.checkout_session_id
      where numbers.number = requested.number and numbers.environment = ${environment}
      offset 0
    ) dialled`)

/**
 * Returns the newest code that anyone can dial now, any number of times, with this reference, currency and
 * amount; an `amount` of null is one that the payer types.
 */
export const selectPosterCode = (
  db: Reader,
  { spaceId, environment }: Scope,
  { reference, currency, amount }: Record<'reference' | 'currency', string> & { amount: bigint | null },
  at: Date,
) =>
  db.one<Pick<PaymentCode, 'number' | 'expiresAt'>>(sql`
    select number, expires_at from payment_codes
    where space_id = ${spaceId} and environment = ${environment} and reference = ${reference}
      and mode = 'recurrent' and status in ('pending', 'processing') and enabled and expires_at > ${at}
      and currency = ${currency} and amount is not distinct from ${amount}
      and authorized_providers is null and authorized_phone_number is null
    order by id desc limit 1`)

export type CodeFilter = FilterOf<PaymentCode, 'number' | 'mode' | 'status'> & {
  /** The ten digits of the code, if `q` is a dial string or a code's number. */
  named?: string | undefined
}

export function selectCodes(db: Database, scope: Scope, filter: CodeFilter, page: Page) {
  const { q, named, number, mode, status } = filter
  if (q === undefined && number === undefined && (mode !== undefined || status !== undefined))
    return selectByModeAndStatus(db, scope, filter, page)
  return selectFiltered(db, merchantCodes, scope, page, [
    nameFilter(q, (text) => codeSearchConditions(scope, text, named)),
    {
      ...equals(sql`number`, sql`text`, number, { leadsTo: 'few' }),
      ...(number !== undefined && { lead: () => hasNumber(number) }),
    },
    equals(sql`mode`, sql`text`, mode),
    equals(sql`status`, sql`text`, status),
  ])
}

/**
 * Returns a page of the newest codes with the requested mode and status. It reads one index, and at most one
 * page for each combination of mode and status, no matter how many codes exist.
 */
const selectByModeAndStatus = (
  db: Reader,
  { spaceId, environment }: Scope,
  { mode, status }: CodeFilter,
  page: Page,
) =>
  db.query(sql`
    select code.*
    from unnest(${mode ? [mode] : modes}::text[]) as modes (mode),
      unnest(${status ? [status] : statuses}::text[]) as statuses (status),
      lateral (
        select ${columns} from payment_codes code
        where space_id = ${spaceId} and environment = ${environment} and code.mode = modes.mode
          and code.status = statuses.status and code.checkout_session_id is null ${inPage(page, sql`code.id`)}
        order by code.id desc limit ${page.take}
      ) code
    order by code.id desc limit ${page.take}`)

/**
 * Returns conditions that match `q` as the id of a code or of one of its payments, as a dial string, or as the
 * merchant's reference.
 */
function codeSearchConditions({ spaceId, environment }: Scope, q: string, number: string | undefined): Names {
  const object = readObjectId(q)
  const ofPayment = sql`
    id = (
      select origin_id from payments
      where space_id = ${spaceId} and environment = ${environment} and id = ${object?.id})`
  return {
    few: [
      ...(object ? [object.ids === paymentIds ? ofPayment : sql`id = ${object.id}`] : []),
      ...(number === undefined ? [] : [hasNumber(number)]),
    ],
    many: [sql`reference = ${q}`],
  }
}

const hasNumber = (number: string) =>
  sql`id = (select payment_code_id from payment_code_numbers where number = ${number})`

/** A code with the phone number of its newest payment by mobile money. */
export type PaidCode = PaymentCode & { payerAccount: string | null }

/** Returns the merchant's codes that match a condition, which may end with an order and a limit. */
export const selectPaidCodes = (db: Reader, { spaceId, environment }: Scope, condition: Sql) =>
  db.query<PaidCode>(sql`
    select ${codes.columnsOf('code')}, paid.payer_account, paid.payer_account_encrypted
    from payment_codes code
    left join lateral (
      select ${encryptedColumn('payments.payer_account', { of: 'payment' })} from payments payment
      where payment.space_id = ${spaceId} and payment.environment = ${environment}
        and payment.origin_id = code.id and payment.channel_type = 'momo'
      order by payment.id desc limit 1
    ) paid on true
    where code.space_id = ${spaceId} and code.environment = ${environment} and checkout_session_id is null ${condition}`)

/**
 * The condition for codes of the person with a phone. A code for one payment belongs to its payer; one for many
 * payments, only to the person whom it names.
 */
export function isOfPhone(scope: Scope, phoneNumber: string | undefined): Sql {
  if (phoneNumber === undefined) return sql`false`
  const { spaceId, environment } = scope
  return sql`
    authorized_phone_number = ${isEither(scope, phoneNumber)} or (mode = 'one_time' and id = any(array(
      select origin_id from payments
      where space_id = ${spaceId} and environment = ${environment}
        and payer_account = ${isEither(scope, phoneNumber)} and channel_type = 'momo'
        and origin_type = 'payment_code')))`
}

/** Erases the customers from codes that have ended. */
export async function eraseCustomers(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  const { spaceId, environment } = scope
  const objects = ids.map((id) => ({ scope, id }))
  await lockCodes(tx, objects)
  await markChanging(tx, 'payment_code', codes.table, objects)
  await tx.run(sql`
    update payment_codes set customer_name = null, customer_name_encrypted = null, customer_name_words = null,
      authorized_phone_number = null, authorized_phone_number_encrypted = null, authorized_phone_number_last = null,
      processed = case when processed is not null
        then jsonb_set(processed::jsonb, '{channelData,accountId}', to_jsonb(${erasedMask}::text))::json end
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)
}
