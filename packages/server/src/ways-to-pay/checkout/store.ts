import { eraseReferences } from '../../money/payments/erasing-store.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { uuids } from '../../platform/db/arrays.ts'
import { bigint, json, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { isEither } from '../../platform/db/encryption.ts'
import { lockEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import type { PaymentOptions } from './payment-options.ts'
import type { SessionStatus } from './states.ts'

export type LineItem = {
  /** The internal id. */
  id: string
  type: 'custom'
  name: string
  /** Price of one unit, in minor units of the session's currency. */
  price: { currency: string; value: number }
  quantity: number
  reference: string | null
  description: string | null
  images: string[]
}

const sessions = table('checkout_sessions', ['id'], {
  id: uuid,
  status: textOf<SessionStatus>(),
  name: text,
  description: orNull(text),
  reference: orNull(text),
  successUrl: orNull(text),
  cancelUrl: orNull(text),
  callbackState: orNull(text),
  lineItems: json<LineItem[]>(),
  paymentOptions: json<PaymentOptions>(),
  primaryColor: orNull(text),
  financialAccountId: uuid,
  orderId: uuid,
  orderNumber: text,
  /** The payment that paid the session. Sessions that were completed by earlier releases have none. */
  paymentId: orNull(uuid),
  /** The payment link from which the session was opened. */
  paymentLinkId: orNull(uuid),
  amount: bigint,
  currency: text,
  metadata: json<Metadata>(),
  /** The idempotency key of the request that created the session or its payment link. */
  idempotencyKey: orNull(text),
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
})
export type CheckoutSession = RowOf<typeof sessions>

/** Builds a statement that inserts sessions. It can run on its own or as part of a larger statement. */
export const insertSessions = sessions.insert

export const lockSessions = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, sessions.requested)

export const selectRequestedSession = sessions.requested
export const shareSessions = (db: Database) => shareReads(db, selectRequestedSession)

export const selectSessions = (
  db: Database,
  scope: Scope,
  { q, status, paymentLinkId }: FilterOf<CheckoutSession, 'status' | 'paymentLinkId'>,
  page: Page,
) =>
  selectFiltered(db, sessions, scope, page, [
    nameFilter(q, (text) => searchConditions(scope, text)),
    equals(sql`payment_link_id`, sql`uuid`, paymentLinkId, { leadsTo: 'many' }),
    equals(sql`status`, sql`text`, status, { leadsTo: 'many' }),
  ])

/**
 * Returns the conditions that match a session by its id, the id of one of its payments, its order number, or
 * the merchant's reference.
 */
function searchConditions({ spaceId, environment }: Scope, q: string): Names {
  const object = readObjectId(q)
  const ofPayment = sql`
    id = (
      select origin_id from payments
      where space_id = ${spaceId} and environment = ${environment} and id = ${object?.id})`
  // The order numbers of sessions are not indexed, but the id of a session contains the same time as the id of
  // its order.
  const ofOrder = sql`
    id = any(array(
      select session.id from orders o cross join lateral (
        select id from checkout_sessions
        where space_id = ${spaceId} and environment = ${environment} and order_id = o.id
          and id between id_moment_start(o.id) and id_moment_end(o.id)
        offset 0
      ) session
      where o.space_id = ${spaceId} and o.environment = ${environment} and o.number = ${q}))`
  const itself = object ? [object.ids === paymentIds ? ofPayment : sql`id = ${object.id}`] : []
  return { few: [ofOrder, ...itself], many: [sql`reference = ${q}`] }
}

/**
 * Returns the session of an order, or `undefined` if the order was paid with a payment code. Sessions are not
 * indexed by order; see `namesOf`.
 */
export const selectSessionOf = (db: Reader, { spaceId, environment }: Scope, orderId: string) =>
  db.one<{ id: string }>(sql`
    select id from checkout_sessions
    where space_id = ${spaceId} and environment = ${environment} and order_id = ${orderId}
      and id between id_moment_start(${orderId}) and id_moment_end(${orderId})`)

const update = sessions.update('status', 'paymentId', 'updatedAt')

export const updateStatuses = (tx: Tx, ended: Scoped<CheckoutSession>[]) => tx.send(update(ended))

/** A session with the phone number of its newest payment by mobile money. */
export type PaidSession = CheckoutSession & { payerAccount: string | null }

/** Returns the sessions that match a condition, which may end with an order and a limit. */
export const selectPaidSessions = (db: Reader, { spaceId, environment }: Scope, condition: Sql) =>
  db.query<PaidSession>(sql`
    select ${sessions.columnsOf('session')}, paid.payer_account, paid.payer_account_encrypted
    from checkout_sessions session
    left join lateral (
      select ${encryptedColumn('payments.payer_account', { of: 'payment' })} from payments payment
      where payment.space_id = ${spaceId} and payment.environment = ${environment}
        and payment.origin_id = session.id and payment.channel_type = 'momo'
      order by payment.id desc limit 1
    ) paid on true
    where session.space_id = ${spaceId} and session.environment = ${environment} ${condition}`)

/**
 * The condition for sessions paid from a phone. Those paid in other ways cannot be found, because payments are not
 * indexed by other accounts.
 */
export function isPaidFrom(scope: Scope, phoneNumber: string | undefined): Sql {
  if (phoneNumber === undefined) return sql`false`
  const { spaceId, environment } = scope
  return sql`
    id = any(array(
      select origin_id from payments
      where space_id = ${spaceId} and environment = ${environment}
        and payer_account = ${isEither(scope, phoneNumber)} and channel_type = 'momo'
        and origin_type = 'checkout_session'))`
}

/** Erases the references that payers typed on the pages of payment links. */
export async function eraseTypedReferences(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  const { spaceId, environment } = scope
  const objects = ids.map((id) => ({ scope, id }))
  await lockSessions(tx, objects)
  await markChanging(tx, 'checkout_session', sessions.table, objects)
  await tx.run(sql`
    update checkout_sessions set reference = null
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])
      and payment_link_id is not null`)
  await eraseReferences(tx, scope, ids)
}
