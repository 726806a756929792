import type { BillPayment } from '@pesewa/connector-kit'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { isEither, storedColumns } from '../../platform/db/encryption.ts'
import { countRows } from '../../platform/db/lookups.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import { newId } from '../../platform/ids.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import type { BillRail } from '../../rails/instructions/store.ts'
import { erased, erasedMask } from '../../tenants/retention/person.ts'
import { installationId, installationScope, markSealed } from '../../tenants/spaces/chained-changes.ts'

/** Identifies a manual payment by its connection and the rail's transaction id. */
export type BillKey = { environment: Environment; connection: string; transaction: string }

/** A payment as reported by a rail, either in a notice or in its list. */
export type ReportedBill = BillPayment & BillRail & { source: 'notice' | 'pull' }

/**
 * The reason why a payment is unallocated: its reference does not identify anything that can be paid now, its
 * amount or its payer is not the expected one, or the order has already been paid in another way.
 */
export type UnallocatedReason = 'reference' | 'amount' | 'payer' | 'order_paid'

/** A stored manual payment, with its amount in minor units. */
export type StoredBill = ReportedBill & {
  status: 'allocated' | 'unallocated' | 'closed'
  reason: UnallocatedReason | null
  receivedAt: Date
  spaceId: string | null
  paymentId: string | null
  closedBy: string | null
  closedAt: Date | null
  closingReason: string | null
}

const place = 'bill_payments.payer_account'

// every space: a payment to the operator's number belongs to no Space until its reference has been read
const columns = sql`
  environment, connection, transaction, provider_id, amount, currency, account_reference,
  ${encryptedColumn(place, { spaceId: installationId })}, payer_mask, paid_at, received_at, source, status, reason, space_id, payment_id, closed_by, closed_at, closing_reason`

/** Inserts a manual payment as unallocated, and returns whether it was new. */
export const insertBill = async (tx: Tx, bill: ReportedBill): Promise<boolean> => {
  const payer = storedColumns(place, installationScope(bill.environment), bill.payerAccount)
  // every space: the payment does not belong to a Space yet
  const inserted = await tx.run(sql`
    insert into bill_payments (id, environment, connection, transaction, provider_id, amount, currency, account_reference,
      payer_account, payer_account_encrypted, payer_account_last, payer_mask, paid_at, received_at, source, status, reason)
    values (${newId(new Date())}, ${bill.environment}, ${bill.connection}, ${bill.transaction}, ${bill.providerId}, ${bill.amount},
      ${bill.currency}, ${bill.accountReference}, ${payer.stored}, ${payer.encrypted}, ${payer.last}, ${bill.payerMask}, ${bill.paidAt}, ${realNow},
      ${bill.source}, 'unallocated', 'reference')
    on conflict (environment, connection, transaction) do nothing`)
  return inserted === 1
}

export const lockBill = (tx: Tx, { environment, connection, transaction }: BillKey) =>
  // every space: identified by the rail's transaction id
  tx.one<StoredBill>(sql`
    select ${columns} from bill_payments
    where environment = ${environment} and connection = ${connection} and transaction = ${transaction} for update`)

/** Returns the given transaction ids that have already been reported. */
export const selectReported = async (
  db: Reader,
  { environment, connection }: Omit<BillKey, 'transaction'>,
  transactions: string[],
): Promise<Set<string>> =>
  new Set(
    // every space: identified by the rail's transaction ids
    (
      await db.query<{ transaction: string }>(sql`
        select transaction from bill_payments
        where environment = ${environment} and connection = ${connection}
          and transaction = any (${transactions}::text[])`)
    ).map(({ transaction }) => transaction),
  )

/**
 * Marks an unallocated manual payment as new or about to change, so that it is added to the installation's
 * chain of seals.
 */
export const sealBill = (tx: Tx, { environment, connection, transaction }: BillKey) =>
  // every space: the payment may belong to none
  markSealed(
    tx,
    sql`(
      select ${installationId}::uuid as space_id, bill.environment, bill.id, seal.terms, seal.outcome
      from bill_payments bill cross join lateral bill_payment_seal(bill) seal
      where environment = ${environment} and connection = ${connection} and transaction = ${transaction})`,
  )

export const markAllocated = (tx: Tx, key: BillKey, { spaceId }: Scope, paymentId: string) =>
  tx.run(sql`
    update bill_payments set status = 'allocated', reason = null, space_id = ${spaceId}, payment_id = ${paymentId}
    where environment = ${key.environment} and connection = ${key.connection} and transaction = ${key.transaction}`)

/**
 * Records why a manual payment remains unallocated. `spaceId` is the Space that owns the code or order that the
 * reference identifies, or null if there is none.
 */
export const markUnallocated = (tx: Tx, key: BillKey, reason: UnallocatedReason, spaceId: string | null) =>
  tx.run(sql`
    update bill_payments set reason = ${reason}, space_id = ${spaceId}
    where environment = ${key.environment} and connection = ${key.connection} and transaction = ${key.transaction}`)

export const markClosed = (tx: Tx, key: BillKey, by: string, reason: string) =>
  // every space: the payment may belong to none
  tx.run(sql`
    update bill_payments set status = 'closed', reason = null, closed_by = ${by}, closing_reason = ${reason},
      closed_at = ${realNow}
    where environment = ${key.environment} and connection = ${key.connection} and transaction = ${key.transaction}`)

/** Returns whether a manual payment has already been allocated to this payment. */
export const isPaymentAllocated = async (db: Reader, { spaceId, environment }: Scope, paymentId: string) =>
  (await db.one(sql`
    select from bill_payments
    where space_id = ${spaceId} and environment = ${environment} and payment_id = ${paymentId}`)) !==
  undefined

/**
 * Returns up to `take` manual payments, oldest first. Unless `isAll` is set, only unallocated ones are
 * returned.
 */
export const selectBills = (db: Reader, isAll: boolean, take: number) =>
  // every space: the operator's own list
  db.query<StoredBill>(sql`
    select ${columns} from bill_payments
    ${isAll ? nothing : sql`where status = 'unallocated'`}
    order by received_at limit ${take}`)

export const countUnallocated = (db: Reader) =>
  countRows(
    db,
    (environment) => sql`
      -- every space: this is an operator metric
      select from bill_payments one where status = 'unallocated' and one.environment = ${environment}`,
  )

/** Returns the time up to which a connection's list has been read. */
export const selectPulledUntil = async (db: Reader, environment: Environment, connection: string) =>
  // every space: the operator's own number
  (
    await db.one<{ pulledUntil: Date }>(
      sql`select pulled_until from bill_pulls where environment = ${environment} and connection = ${connection}`,
    )
  )?.pulledUntil

export const writePulledUntil = (tx: Tx, environment: Environment, connection: string, until: Date) =>
  // every space: the operator's own number
  tx.run(sql`
    insert into bill_pulls as kept (environment, connection, pulled_until)
    values (${environment}, ${connection}, ${until})
    on conflict (environment, connection) do update
    set pulled_until = greatest(kept.pulled_until, excluded.pulled_until)`)

/** The condition for manual payments from a phone; none if it is undefined. */
export const isBillOf = ({ environment }: Scope, phoneNumber: string | undefined): Sql =>
  phoneNumber === undefined
    ? sql`false`
    : sql`payer_account = ${isEither(installationScope(environment), phoneNumber)}`

/** A manual payment that a Space has received. */
export type ReceivedBill = StoredBill & { id: string }

/** Returns the manual payments of a Space that match a condition, which may end with an order and a limit. */
export const selectReceivedBills = (db: Reader, { spaceId, environment }: Scope, condition: Sql) =>
  db.query<ReceivedBill>(sql`
    select id, ${columns} from bill_payments
    where space_id = ${spaceId} and environment = ${environment} ${condition}`)

/** Erases the payers, and what they typed, from manual payments that are no longer unallocated. */
export async function eraseBillPayers(tx: Tx, { spaceId, environment }: Scope, ids: string[]): Promise<void> {
  const bills = await tx.query<BillKey>(sql`
    select environment, connection, transaction from bill_payments
    where space_id = ${spaceId} and environment = ${environment} and id = any(${ids}::uuid[])
    order by id for update`)
  for (const bill of bills) await sealBill(tx, bill)
  await tx.run(sql`
    update bill_payments set account_reference = ${erased},
      payer_account = case when payer_account is not null then ${erased} end,
      payer_account_encrypted = null, payer_account_last = null,
      payer_mask = case when payer_mask is not null then ${erasedMask} end
    where space_id = ${spaceId} and environment = ${environment} and id = any(${ids}::uuid[])`)
}
