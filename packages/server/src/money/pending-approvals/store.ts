import { texts } from '../../platform/db/arrays.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { hashOf, type KeyedValue } from '../../platform/db/encryption.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Role } from '../../tenants/spaces/permissions.ts'
import type { RefundReason } from '../refunds/store.ts'

const maxMembers = 100 // limit: members of a Space who get emails about approvals
export const maxCounted = 1_000 // payouts, batches and refunds that one email counts, of each kind

/** A member with the email address. `id` is the id of the user. */
export type Approver = { id: string; email: string; role: Role }

/** Returns the members of a Space with these roles, oldest first. */
export const selectApprovers = (tx: Tx, spaceId: string, roles: Role[]) =>
  tx.query<Approver>(sql`
    select users.id, users.email, members.role from members join users on users.id = members.user_id
    where members.space_id = ${spaceId} and members.role = any(${texts(roles)}::text[])
    order by members.since, users.id limit ${maxMembers}`)

export const selectApprover = (db: Reader, spaceId: string, userId: string) =>
  db.one<Approver>(sql`
    select users.id, users.email, members.role from members join users on users.id = members.user_id
    where members.space_id = ${spaceId} and members.user_id = ${userId}`)

/** An object that awaits approval, with the email address of its creator; null if the operator created it. */
export type Pending = {
  id: string
  /** In minor units, as text. */
  sums: { currency: string; amount: string }[]
  note: string | null
  requester: string | null
  createdAt: Date
} & (
  | { kind: 'payout'; account: string }
  | { kind: 'batch'; rows: number }
  | { kind: 'refund'; account: string | null; orderNumber: string; reason: RefundReason }
)

type PendingFilter = { userId: string; withPayouts: boolean; withRefunds: boolean }

/**
 * Returns the payouts, batches and refunds that await the approval of somebody other than their creator, the given
 * user, newest first. Only the newest pending rows of each kind are read: others are soon sent.
 */
export async function selectPending(
  db: Reader,
  scope: Scope,
  { userId, withPayouts, withRefunds }: PendingFilter,
) {
  const pending = [
    ...(withPayouts ? await selectPendingPayouts(db, scope, userId) : []),
    ...(withPayouts ? await selectPendingBatches(db, scope, userId) : []),
    ...(withRefunds ? await selectPendingRefunds(db, scope, userId) : []),
  ]
  return pending
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .slice(0, maxCounted)
}

const sums = sql`jsonb_build_array(jsonb_build_object('currency', currency, 'amount', amount::text)) as sums`
const requester = sql`(select email from users where users.id = created_by) as requester`

const selectPendingPayouts = (db: Reader, { spaceId, environment }: Scope, userId: string) =>
  db.query<Pending & { kind: 'payout' }>(sql`
    select 'payout' as kind, id, ${sums}, metadata ->> 'note' as note, ${requester}, created_at,
      ${encryptedColumn('payouts.payee_account', { as: 'account' })}
    from (
      select * from payouts where space_id = ${spaceId} and environment = ${environment} and status = 'pending'
      order by id desc limit ${maxCounted}
    ) newest
    where approval = 'required' and created_by <> ${userId}`)

const selectPendingBatches = (db: Reader, { spaceId, environment }: Scope, userId: string) =>
  db.query<Pending & { kind: 'batch' }>(sql`
    select 'batch' as kind, id, sums, name as note, ${requester}, created_at, row_count as rows
    from (
      select * from payout_batches where space_id = ${spaceId} and environment = ${environment} and status = 'pending'
      order by id desc limit ${maxCounted}
    ) newest
    where created_by <> ${userId}`)

const selectPendingRefunds = (db: Reader, { spaceId, environment }: Scope, userId: string) =>
  db.query<Pending & { kind: 'refund' }>(sql`
    select 'refund' as kind, id, ${sums}, note, ${requester}, created_at,
      ${encryptedColumn('refunds.payer_account', { as: 'account' })}, order_number,
      reason
    from (
      select * from refunds where space_id = ${spaceId} and environment = ${environment} and status = 'pending'
      order by id desc limit ${maxCounted}
    ) newest
    where pending_reason = 'approval' and created_by is distinct from ${userId}`)

/** Earlier payments to a payee: their number, up to `maxEarlier`, and the last one. */
export type Earlier = {
  count: number
  lastAmount: bigint | null
  lastCurrency: string | null
  lastAt: Date | null
}

export const maxEarlier = 10 // earlier payments to a payee that are counted
const maxRead = 1_000 // newest payments to a payee that are read

const earlierColumns = sql`count(*)::int as count, (array_agg(amount order by id desc))[1] as last_amount,
  (array_agg(currency order by id desc))[1] as last_currency,
  (array_agg(created_at order by id desc))[1] as last_at`

/** Returns the completed payouts to a payee. */
export const selectEarlierPayouts = (
  db: Reader,
  { spaceId, environment }: Scope,
  { payeeAccount, providerId }: { payeeAccount: string; providerId: string },
) =>
  db.only<Earlier>(sql`
    select ${earlierColumns} from (
      select id, amount, currency, created_at from (
        ${newestPayouts({ spaceId, environment }, hashOf({ spaceId, environment }, payeeAccount))}
        union all ${newestPayouts({ spaceId, environment }, payeeAccount)}
        order by id desc limit ${maxRead}
      ) newest
      where provider_id = ${providerId} and status = 'completed'
      order by id desc limit ${maxEarlier}
    ) earlier`)

/** `account` is a keyed hash or, for rows that are not yet encrypted, the account itself. */
const newestPayouts = ({ spaceId, environment }: Scope, account: KeyedValue | string) => sql`
  (select id, amount, currency, created_at, status, provider_id from payouts
  where space_id = ${spaceId} and environment = ${environment} and payee_account = ${account}
  order by id desc limit ${maxRead})`

/** Returns the completed refunds to a phone number or, if the payer has none, of the payment. */
export const selectEarlierRefunds = (
  db: Reader,
  scope: Scope,
  { paymentId, phoneNumber }: { paymentId: string; phoneNumber: string | null },
) => {
  const newest = (condition: Sql) => newestRefunds(scope, condition)
  return db.only<Earlier>(sql`
    select ${earlierColumns} from (
      select id, amount, currency, created_at from (
        ${
          phoneNumber === null
            ? sql`select * from ${newest(sql`payment_id = ${paymentId}`)} of_payment`
            : sql`${newest(toPhone(hashOf(scope, phoneNumber)))} union all ${newest(toPhone(phoneNumber))}`
        }
        order by id desc limit ${maxRead}
      ) newest
      where status = 'completed'
      order by id desc limit ${maxEarlier}
    ) earlier`)
}

const newestRefunds = ({ spaceId, environment }: Scope, condition: Sql) => sql`
  (select id, amount, currency, created_at, status from refunds
  where space_id = ${spaceId} and environment = ${environment} and ${condition}
  order by id desc limit ${maxRead})`

const toPhone = (account: KeyedValue | string) =>
  sql`payer_account = ${account} and destination_type = 'momo'`
