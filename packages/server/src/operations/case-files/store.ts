import { selectNewestEvents } from '../../events/event-store.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import type { OwnerType } from '../../rails/instructions/owner-types.ts'
import type { Answer } from '../../rails/instructions/states.ts'

// Each list is read along an index, newest first, up to this limit.
export const maxEntriesPerKind = 50 // newest entries of a kind in a case file

/** Returns the object's instruction, if there is one. */
export const selectInstruction = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<{
    state: string
    submittedAt: Date | null
    delayedAt: Date | null
    dueAt: Date | null
    providerReference: string | null
    connection: string | null
    askedAt: Date | null
    answeredAt: Date | null
    answer: Answer | null
  }>(sql`
    select state, submitted_at, delayed_at, due_at, provider_reference, connection, asked_at, answered_at, answer
    from instructions
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

export const selectEventsOf = (db: Reader, scope: Scope, objectId: string) =>
  db.query<{ id: string; type: string; at: Date }>(selectNewestEvents(scope, objectId, maxEntriesPerKind))

/**
 * A delivery of an event to a webhook. `time` is the time of the last attempt or, before the first attempt, the
 * time of creation. The id is derived from the event and the webhook, so each delivery is looked up by key.
 */
export type FiledDelivery = {
  id: string
  eventType: string
  webhookName: string
  status: string
  tries: number
  statusCode: number | null
  time: string
}

export const selectDeliveriesOf = (db: Reader, { spaceId, environment }: Scope, objectId: string) =>
  db.query<FiledDelivery>(sql`
    with newest as materialized (
      ${selectNewestEvents({ spaceId, environment }, objectId, maxEntriesPerKind)}
    )
    select delivery.id, newest.type as event_type, webhook.name as webhook_name, delivery.status, delivery.tries,
      (delivery.attempts -> -1 ->> 'statusCode')::int as status_code,
      coalesce(delivery.attempts -> -1 ->> 'time', to_char(delivery.created_at at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as time
    from newest
    join webhooks webhook on webhook.space_id = ${spaceId} and webhook.environment = ${environment}
      and webhook.deleted_at is null
    cross join lateral (
      select * from webhook_deliveries
      where space_id = ${spaceId} and environment = ${environment} and id = delivery_id(newest.id, webhook.id)
        and position = newest.position
      offset 0
    ) delivery
    order by newest.position desc, delivery.id limit ${maxEntriesPerKind}`)

/** Returns the decisions about an object, with their reasons. */
export const selectDecisions = (
  db: Reader,
  { spaceId, environment }: Scope,
  objectType: string,
  objectId: string,
) =>
  db.query<{ at: Date; actor: string; action: string; reason: string }>(sql`
    select at, actor, action, reason from audit_entries
    where space_id = ${spaceId} and environment = ${environment} and object_type = ${objectType}
      and object_id = ${objectId}
    order by id desc limit ${maxEntriesPerKind}`)

/** Returns the other payments of a checkout session. */
export const selectOtherAttempts = (
  db: Reader,
  { spaceId, environment }: Scope,
  { id, originId }: { id: string; originId: string },
) =>
  db.query<{ id: string; status: string; amount: bigint; currency: string; createdAt: Date }>(sql`
    select id, status, amount, currency, created_at from payments
    where space_id = ${spaceId} and environment = ${environment} and origin_id = ${originId} and id <> ${id}
    order by id desc limit ${maxEntriesPerKind}`)

export const selectRefundsOf = (db: Reader, { spaceId, environment }: Scope, paymentId: string) =>
  db.query<{
    id: string
    status: string
    amount: bigint
    currency: string
    createdBy: string | null
    createdAt: Date
    completedAt: Date | null
  }>(sql`
    select id, status, amount, currency, created_by, created_at, completed_at from refunds
    where space_id = ${spaceId} and environment = ${environment} and payment_id = ${paymentId}
    order by id desc limit ${maxEntriesPerKind}`)

const tables = { payment: sql`payments`, payout: sql`payouts`, refund: sql`refunds` } as const

export const exists = async (db: Reader, { spaceId, environment }: Scope, type: OwnerType, id: string) =>
  (await db.one(sql`
    select 1 from ${tables[type]} where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)) !==
  undefined
