import { bigints, ints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach, type Scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Environment, Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'

export const modes = ['one_time', 'recurrent'] as const
export const statuses = ['pending', 'processing', 'completed', 'expired', 'cancelled'] as const
export type CodeMode = (typeof modes)[number]
export type CodeStatus = (typeof statuses)[number]

/** A completed payment as the code shows it: amounts in minor units, ids in their outer form. */
export type Processed = {
  amount: { currency: string; value: number }
  orderId: string
  paymentId: string
  orderNumber: string
  channelData: { providerId: string; accountId: string; reference: string | null }
  financialTransactionReference: string
  metadata: Metadata
}

export type PaymentCode = {
  id: string
  /** 10 digits. */
  number: string
  mode: CodeMode
  status: CodeStatus
  name: string
  /** Minor units of `currency`; null when the payer types it. */
  amount: bigint | null
  currency: string
  enabled: boolean
  customerName: string | null
  reference: string | null
  authorizedProviders: string[] | null
  /** E.164. */
  authorizedPhoneNumber: string | null
  /** What a recurrent code is to bring; whichever is reached first. */
  expectedCount: number | null
  expectedTotal: bigint | null
  financialAccountId: string
  /** What completed payments brought. */
  paidCount: number
  paidTotal: bigint
  /** Attempts that failed since the last payment or change. */
  failedCount: number
  /** The last completed payment. */
  processed: Processed | null
  metadata: Metadata
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** Answers whether the number was free; then it is taken for ever. One directory serves all Spaces. */
export const takeNumber = async (tx: Tx, scope: Scope, { number, id }: Pick<PaymentCode, 'number' | 'id'>) =>
  (await tx.run(sql`
    insert into payment_code_numbers (number, environment, space_id, payment_code_id)
    values (${number}, ${scope.environment}, ${scope.spaceId}, ${id})
    on conflict (number) do nothing`)) === 1

export const insertCode = (tx: Tx, { spaceId, environment }: Scope, code: PaymentCode) =>
  tx.run(sql`
    insert into payment_codes (space_id, environment, id, number, mode, status, name, amount, currency, enabled,
      customer_name, reference, authorized_providers, authorized_phone_number, expected_count, expected_total,
      financial_account_id, paid_count, paid_total, failed_count, metadata, expires_at, created_at, updated_at)
    values (${spaceId}, ${environment}, ${code.id}, ${code.number}, ${code.mode}, ${code.status}, ${code.name},
      ${code.amount}, ${code.currency}, ${code.enabled}, ${code.customerName}, ${code.reference},
      ${code.authorizedProviders}, ${code.authorizedPhoneNumber}, ${code.expectedCount}, ${code.expectedTotal},
      ${code.financialAccountId}, ${code.paidCount}, ${code.paidTotal}, ${code.failedCount}, ${code.metadata},
      ${code.expiresAt}, ${code.createdAt}, ${code.updatedAt})`)

/** Writes all that can change. */
export const updateCode = (tx: Tx, { spaceId, environment }: Scope, code: PaymentCode) =>
  tx.run(sql`
    update payment_codes set status = ${code.status}, name = ${code.name}, amount = ${code.amount},
      enabled = ${code.enabled}, customer_name = ${code.customerName}, reference = ${code.reference},
      authorized_providers = ${code.authorizedProviders}, authorized_phone_number = ${code.authorizedPhoneNumber},
      expected_count = ${code.expectedCount}, expected_total = ${code.expectedTotal},
      financial_account_id = ${code.financialAccountId}, paid_count = ${code.paidCount},
      paid_total = ${code.paidTotal}, failed_count = ${code.failedCount}, processed = ${code.processed},
      metadata = ${code.metadata}, expires_at = ${code.expiresAt}, updated_at = ${code.updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and id = ${code.id}`)

/** Writes how often locked codes were paid, and what that made of them. */
export const updateCodes = (tx: Tx, codes: Scoped<PaymentCode>[]) =>
  tx.run(sql`
    update payment_codes code set status = counted.status, paid_count = counted.paid_count,
      paid_total = counted.paid_total, failed_count = counted.failed_count, processed = counted.processed::json,
      updated_at = counted.updated_at
    from unnest(${scopes(codes)}, ${uuids(codes.map(({ id }) => id))}::uuid[],
      ${texts(codes.map(({ status }) => status))}::text[],
      ${ints(codes.map(({ paidCount }) => paidCount))}::int[],
      ${bigints(codes.map(({ paidTotal }) => paidTotal))}::bigint[],
      ${ints(codes.map(({ failedCount }) => failedCount))}::int[],
      ${texts(codes.map(({ processed }) => processed && JSON.stringify(processed)))}::text[],
      ${times(codes.map(({ updatedAt }) => updatedAt))}::timestamptz[])
      as counted (space_id, environment, id, status, paid_count, paid_total, failed_count, processed, updated_at)
    where code.space_id = counted.space_id and code.environment = counted.environment and code.id = counted.id`)

const columns = sql`code.id, code.number, code.mode, code.status, code.name, code.amount, code.currency, code.enabled,
  code.customer_name, code.reference, code.authorized_providers, code.authorized_phone_number, code.expected_count,
  code.expected_total, code.financial_account_id, code.paid_count, code.paid_total, code.failed_count, code.processed,
  code.metadata, code.expires_at, code.created_at, code.updated_at`

export const selectCode = (db: Reader, { spaceId, environment }: Scope, id: string, lock: Sql = nothing) =>
  db.one<PaymentCode>(sql`
    select ${columns} from payment_codes code
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

export const shareCodes = (db: Database) =>
  shareReads<PaymentCode>(
    db,
    sql`
      select ${columns} from payment_codes code
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

export const lockCodes = (tx: Tx, wanted: Scoped<{ id: string }>[]) =>
  // every space: each id comes with its own
  lockEach<PaymentCode>(tx, { from: sql`payment_codes code`, columns }, wanted)

/** Writes that payments for these locked codes are in flight. */
export const markProcessing = (tx: Tx, moved: Scoped<Pick<PaymentCode, 'id' | 'updatedAt'>>[]) =>
  tx.run(sql`
    update payment_codes code set status = 'processing', updated_at = moved.at
    from unnest(${scopes(moved)}, ${uuids(moved.map(({ id }) => id))}::uuid[],
      ${times(moved.map(({ updatedAt }) => updatedAt))}::timestamptz[]) as moved (space_id, environment, id, at)
    where code.space_id = moved.space_id and code.environment = moved.environment and code.id = moved.id`)

export type DialledRow = PaymentCode & { spaceId: string; payee: string; country: string }

/** What a dialled number names, with whom it pays: three rows by their primary keys. */
/** Each number is looked up for itself, along the primary keys: nothing is ever scanned. */
export const selectDialled = (db: Reader, environment: Environment, numbers: string[]) =>
  // every space: a dial knows only digits
  db.query<DialledRow>(sql`
    select dialled.*
    from unnest(${numbers}::text[]) wanted (number)
    cross join lateral (
      select ${columns}, space.id as space_id, space.name as payee, space.country
      from payment_code_numbers numbers
      join payment_codes code on code.space_id = numbers.space_id and code.environment = numbers.environment
        and code.id = numbers.payment_code_id
      join spaces space on space.id = numbers.space_id
      where numbers.number = wanted.number and numbers.environment = ${environment}
      offset 0
    ) dialled`)

export type CodeFilter = { number?: string; mode?: CodeMode; status?: CodeStatus }

export const selectCodes = (db: Reader, scope: Scope, filter: CodeFilter, page: Page) => {
  const { spaceId, environment } = scope
  const older = page.after === undefined ? nothing : sql`and code.id < ${page.after}`
  const newest = sql`order by code.id desc limit ${page.take}`
  if (filter.number !== undefined)
    return selectNumbered(db, scope, { ...filter, number: filter.number }, page)
  if (filter.mode === undefined && filter.status === undefined)
    return db.query<PaymentCode>(sql`
      select ${columns} from payment_codes code
      where space_id = ${spaceId} and environment = ${environment} ${older} ${newest}`)
  // The newest of each kind that is asked for, along the one index by kind: at most ten pages, however many there are.
  return db.query<PaymentCode>(sql`
    select code.*
    from unnest(${filter.mode ? [filter.mode] : modes}::text[]) as modes (mode),
      unnest(${filter.status ? [filter.status] : statuses}::text[]) as statuses (status),
      lateral (
        select ${columns} from payment_codes code
        where space_id = ${spaceId} and environment = ${environment} and code.mode = modes.mode
          and code.status = statuses.status ${older} ${newest}
      ) code
    ${newest}`)
}

const selectNumbered = (
  db: Reader,
  { spaceId, environment }: Scope,
  { number, mode, status }: CodeFilter & { number: string },
  page: Page,
) =>
  db.query<PaymentCode>(sql`
    select ${columns} from payment_codes code
    where space_id = ${spaceId} and environment = ${environment}
      and id = (select payment_code_id from payment_code_numbers where number = ${number})
      ${mode === undefined ? nothing : sql`and mode = ${mode}`}
      ${status === undefined ? nothing : sql`and status = ${status}`}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    limit ${page.take}`)
