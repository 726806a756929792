import { bigint, json, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach } from '../platform/db/lookups.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import type { Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { PaymentOptions } from './payment-options.ts'

export type SessionStatus = 'pending' | 'completed' | 'cancelled' | 'expired'

export type LineItem = {
  /** The inner id. */
  id: string
  type: 'custom'
  name: string
  /** Minor units of the session's currency, for one. */
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
  amount: bigint,
  currency: text,
  metadata: json<Metadata>(),
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
})
export type CheckoutSession = RowOf<typeof sessions>

/** A statement, or part of a larger one. */
export const insertSessions = sessions.insert

export const lockSessions = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, sessions.requested)

export const shareSessions = (db: Database) => shareReads(db, sessions.requested)

export const selectSessions = (db: Reader, { spaceId, environment }: Scope, page: Page) =>
  db.query(sql`
    select ${sessions.columns} from checkout_sessions
    where space_id = ${spaceId} and environment = ${environment}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

const update = sessions.update('status', 'updatedAt')

export const updateStatuses = (tx: Tx, ended: Scoped<CheckoutSession>[]) => tx.run(update(ended))
