import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { lockEach, type Scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
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

export type Session = {
  id: string
  status: SessionStatus
  name: string
  description: string | null
  reference: string | null
  successUrl: string | null
  cancelUrl: string | null
  callbackState: string | null
  lineItems: LineItem[]
  paymentOptions: PaymentOptions
  primaryColor: string | null
  financialAccountId: string
  orderId: string
  orderNumber: string
  amount: bigint
  currency: string
  metadata: Metadata
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** A statement, or part of a larger one. */
export function insertSessions(sessions: Scoped<Session>[]): Sql {
  const all = (name: keyof Session) => texts(sessions.map((session) => session[name] as string | null))
  const json = (name: 'lineItems' | 'paymentOptions' | 'metadata') =>
    texts(sessions.map((session) => JSON.stringify(session[name])))
  const ids = (name: 'id' | 'financialAccountId' | 'orderId') =>
    uuids(sessions.map((session) => session[name]))
  const moments = (name: 'expiresAt' | 'createdAt' | 'updatedAt') =>
    times(sessions.map((session) => session[name]))
  return sql`
    insert into checkout_sessions (space_id, environment, id, status, name, description, reference, success_url,
      cancel_url, callback_state, line_items, payment_options, primary_color, financial_account_id, order_id,
      order_number, amount, currency, metadata, expires_at, created_at, updated_at)
    select space_id, environment, id, status, name, description, reference, success_url, cancel_url,
      callback_state, line_items::json, payment_options::json, primary_color, financial_account_id, order_id,
      order_number, amount, currency, metadata::json, expires_at, created_at, updated_at
    from unnest(${scopes(sessions)}, ${ids('id')}::uuid[], ${all('status')}::text[], ${all('name')}::text[],
      ${all('description')}::text[], ${all('reference')}::text[], ${all('successUrl')}::text[],
      ${all('cancelUrl')}::text[], ${all('callbackState')}::text[], ${json('lineItems')}::text[],
      ${json('paymentOptions')}::text[], ${all('primaryColor')}::text[], ${ids('financialAccountId')}::uuid[],
      ${ids('orderId')}::uuid[], ${all('orderNumber')}::text[],
      ${bigints(sessions.map(({ amount }) => amount))}::bigint[], ${all('currency')}::text[],
      ${json('metadata')}::text[], ${moments('expiresAt')}::timestamptz[], ${moments('createdAt')}::timestamptz[],
      ${moments('updatedAt')}::timestamptz[])
      as session (space_id, environment, id, status, name, description, reference, success_url, cancel_url, callback_state, line_items,
        payment_options, primary_color, financial_account_id, order_id, order_number, amount, currency, metadata,
        expires_at, created_at, updated_at)`
}

const columns = sql`id, status, name, description, reference, success_url, cancel_url, callback_state, line_items,
  payment_options, primary_color, financial_account_id, order_id, order_number, amount, currency, metadata,
  expires_at, created_at, updated_at`

export const selectSession = (db: Reader, { spaceId, environment }: Scope, id: string, lock: Sql = nothing) =>
  db.one<Session>(sql`
    select ${columns} from checkout_sessions
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} ${lock}`)

export const lockSessions = (tx: Tx, wanted: Scoped<{ id: string }>[]) =>
  lockEach<Session>(tx, { from: sql`checkout_sessions`, columns }, wanted)

export const shareSessions = (db: Database) =>
  shareReads<Session>(
    db,
    sql`
      select ${columns} from checkout_sessions
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

export const selectSessions = (db: Reader, { spaceId, environment }: Scope, page: Page) =>
  db.query<Session>(sql`
    select ${columns} from checkout_sessions
    where space_id = ${spaceId} and environment = ${environment}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

export const updateStatus = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  status: SessionStatus,
  at: Date,
) =>
  tx.run(sql`
    update checkout_sessions set status = ${status}, updated_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

/** The same of many locked sessions, of many Spaces. */
export const updateStatuses = (tx: Tx, sessions: Scoped<Session>[]) =>
  tx.run(sql`
    update checkout_sessions session set status = ended.status, updated_at = ended.at
    from unnest(${scopes(sessions)}, ${uuids(sessions.map((s) => s.id))}::uuid[],
      ${texts(sessions.map((s) => s.status))}::text[], ${times(sessions.map((s) => s.updatedAt))}::timestamptz[])
      as ended (space_id, environment, id, status, at)
    where session.space_id = ended.space_id and session.environment = ended.environment and session.id = ended.id`)
