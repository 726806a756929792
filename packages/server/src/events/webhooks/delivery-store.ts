import { must } from '@pesewa/values'
import { walkBounded } from '../../platform/db/bounded-walk.ts'
import { bigint, integer, jsonb, orNull, text, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Listed, Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { isSubscribed } from '../sequencing-store.ts'
import type { DeliveryStatus } from './states.ts'

/** A delivery attempt as the API shows it. */
export type DeliveryAttempt = {
  time: string
  statusCode: number | null
  durationMs: number
  error: string | null
  responseBody: string | null
  /** Only of failed attempts, to keep the rows of delivered events short. Older attempts have none. */
  responseHeaders?: Record<string, string>
}

export type Delivery = {
  id: string
  webhookId: string
  eventId: string
  eventType: string
  status: DeliveryStatus
  nextAttemptAt: Date | null
  attempts: DeliveryAttempt[]
  createdAt: Date
}

/** The columns of a delivery. While the endpoint is paused, the next attempt is not due until the pause ends. */
const columns = sql`d.id, d.webhook_id, e.id as event_id, e.type as event_type, d.status,
  case when d.status = 'pending' then greatest(d.next_attempt_at, w.paused_until) end as next_attempt_at, d.attempts,
  d.created_at`

/** SQL that joins delivery `d` with its event `e`. */
// every space: the delivery has the Space
const withEvent = sql`
  cross join lateral (
    select * from sequenced_facts fact
    where fact.space_id = d.space_id and fact.environment = d.environment and fact.position = d.position - d.nth
    offset 0) fact
  join lateral fact_events(fact.space_id, fact.environment, fact.fact_number, fact.line_ids) e on e.nth = d.nth`

/** Returns SQL that selects a delivery with its event, provided that the endpoint still exists. */
const deliveryOf = (spaceId: string | Sql, environment: string | Sql, id: string | Sql): Sql => sql`
  select ${columns} from webhook_deliveries d
  ${withEvent}
  join webhooks w on w.space_id = d.space_id and w.environment = d.environment and w.id = d.webhook_id
    and w.deleted_at is null
  where d.space_id = ${spaceId} and d.environment = ${environment} and d.id = ${id}`

export const selectDelivery = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<Delivery>(deliveryOf(spaceId, environment, id))

export const shareDeliveries = (db: Database) =>
  shareReads<Delivery>(db, deliveryOf(sql`requested.space_id`, sql`requested.environment`, sql`requested.id`))

/** Returns deliveries, newest first. */
export async function selectDeliveries(
  db: Database,
  { spaceId, environment }: Scope,
  webhookId: string,
  status: DeliveryStatus | undefined,
  page: Page,
): Promise<Listed<Delivery>> {
  const all = sql`
    select * from webhook_deliveries
    where space_id = ${spaceId} and environment = ${environment} and webhook_id = ${webhookId}
      ${inPage(page)}`
  const shown = (deliveries: Sql) => sql`
    select ${columns} from (${deliveries}) d
    ${withEvent}
    join webhooks w on w.space_id = ${spaceId} and w.environment = ${environment} and w.id = d.webhook_id
    order by d.id desc`
  // There is an index for failed deliveries. Nearly all others have been delivered, and pending ones are
  // short-lived.
  if (status === 'delivered' || status === 'pending')
    return walkBounded(db, {
      ordered: all,
      column: sql`id`,
      fit: sql`status = ${status}`,
      take: page.take,
      shown,
    })
  // The inner limit is a literal, so that the planner caches one plan for all partitions.
  return db.query<Delivery>(
    shown(sql`
      select * from (
        ${all} ${status === undefined ? nothing : sql`and status = 'failed'`} order by id desc limit 51
      ) bounded limit ${page.take}`),
  )
}

/** Makes a delivery due immediately and restarts its retry schedule. */
export const redeliver = (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  tx.run(sql`
    update webhook_deliveries set status = 'pending', next_attempt_at = ${at}, tries = 0
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

export type RedeliveryRange = {
  since: Date
  until: Date
  /**
   * Which events to redeliver. `failed` means those whose delivery failed or is being retried, and those that have
   * no delivery.
   */
  status: 'failed' | 'all'
}

/**
 * Redelivers the events of at most `take` facts in a time range to an endpoint, starting after a position. Returns
 * the position of the last fact, or `undefined` if there are no more facts.
 */
export async function redeliverSome(
  tx: Tx,
  { spaceId, environment }: Scope,
  webhookId: string,
  { since, until, status }: RedeliveryRange,
  { after, take, at }: { after: bigint; take: number; at: Date },
): Promise<bigint | undefined> {
  const { seen, last } = await tx.only<{ last: bigint | null; seen: number }>(sql`
    with facts as materialized (
      select * from sequenced_facts
      where space_id = ${spaceId} and environment = ${environment} and position > ${after}
        and position >= (select events_floor(${spaceId}, ${environment}, ${since}))
        and at >= ${since} and at < ${until}
      order by position limit ${take}
    ), wanted as materialized (
      select e.id, fact.position + e.nth as position, e.nth, fact.at, webhook.id as endpoint_id
      from facts fact
      cross join lateral fact_events(fact.space_id, fact.environment, fact.fact_number, fact.line_ids) e
      join webhooks webhook on webhook.space_id = fact.space_id and webhook.environment = fact.environment
        and webhook.id = ${webhookId} and ${isSubscribed}
    ), again as (
      update webhook_deliveries d set status = 'pending', next_attempt_at = ${at}, tries = 0
      from wanted
      where d.space_id = ${spaceId} and d.environment = ${environment} and d.id = delivery_id(wanted.id, endpoint_id)
        and d.position = wanted.position and (d.status = 'failed' or (d.status = 'pending' and d.tries > 0)
          ${status === 'all' ? sql`or d.status = 'delivered'` : nothing})
    ), missing as (
      insert into webhook_deliveries (space_id, environment, id, webhook_id, position, nth, status, next_attempt_at,
        created_at)
      select ${spaceId}, ${environment}, delivery_id(id, endpoint_id), endpoint_id, position, nth, 'pending', ${at}, at
      from wanted
      on conflict (space_id, environment, id, position) do nothing
    )
    select max(position) as last, count(*)::int as seen from facts`)
  return seen === take ? must(last, 'last fact of a full page') : undefined
}

/**
 * Deletes at most `take` deliveries to an endpoint, starting after this id. Returns the last id, or `undefined`
 * if there are no more deliveries. It uses ranges of an index, because the plan of a join would depend on
 * statistics that may be outdated.
 */
export async function deleteDeliveries(
  tx: Tx,
  { spaceId, environment }: Scope,
  webhookId: string,
  after: string,
  take: number,
): Promise<string | undefined> {
  const last = await tx.one<{ id: string }>(sql`
    select id from webhook_deliveries
    where space_id = ${spaceId} and environment = ${environment} and webhook_id = ${webhookId} and id > ${after}
    order by id offset ${take - 1} limit 1`)
  await tx.run(sql`
    delete from webhook_deliveries
    where space_id = ${spaceId} and environment = ${environment} and webhook_id = ${webhookId} and id > ${after}
      ${last ? sql`and id <= ${last.id}` : nothing}`)
  return last?.id
}

/**
 * A delivery that is due. `position` is the position of its event, which is the `nth` of its fact, counted from 0,
 * and `tries` is the number of attempts so far.
 */
export type DueDelivery = { id: string; position: bigint; nth: number; tries: number }

/**
 * Returns the endpoints that are not paused and have due deliveries. Working endpoints come first, and
 * endpoints are otherwise in random order. `scope` restricts the result to one Space.
 */
export const selectDueWebhooks = (db: Reader, realNow: Date, scope: Scope | undefined, take: number) =>
  // every space: one dispatcher serves all, and moving a test clock makes more of its Space's deliveries due.
  // Because of the limit, this takes one index probe per endpoint; a join would read all pending deliveries.
  db.query<Scope & { id: string; isFailing: boolean }>(sql`
    select w.space_id, w.environment, w.id, w.failing_since is not null as is_failing from webhooks w
    left join test_clocks c on c.space_id = w.space_id and c.environment = w.environment
    cross join lateral (
      select ${realNow}::timestamptz + coalesce(c.offset_ms, 0) * interval '1 millisecond' as now
    ) of_space
    cross join lateral (
      select next_attempt_at from webhook_deliveries d
      where d.space_id = w.space_id and d.environment = w.environment and d.webhook_id = w.id
        and d.status = 'pending'
      order by next_attempt_at limit 1) first
    where w.enabled and w.deleted_at is null
      ${scope === undefined ? nothing : sql`and w.space_id = ${scope.spaceId} and w.environment = ${scope.environment}`}
      and (w.paused_until is null or w.paused_until <= of_space.now) and first.next_attempt_at <= of_space.now
    order by is_failing, random() limit ${take}`)

// After an outage, retries become due in any order. This many are read to find the oldest event.
const sortedAtOnce = 1_000

/** Returns an endpoint's due deliveries, with the oldest event first, excluding those in `inHand`. */
export const selectDue = (
  db: Reader,
  { spaceId, environment }: Scope,
  webhookId: string,
  now: Date,
  inHand: string[],
  take: number,
) =>
  db.query<DueDelivery>(sql`
    select id, position, nth, tries from (
      select id, position, nth, tries from webhook_deliveries
      where space_id = ${spaceId} and environment = ${environment} and webhook_id = ${webhookId} and status = 'pending'
        and next_attempt_at <= ${now} and id <> all(${inHand}::uuid[])
      order by next_attempt_at, position limit ${sortedAtOnce}
    ) due order by position limit ${take}`)

/**
 * Selects the delivery that tests a paused endpoint. Deliveries without attempts are preferred, and among them
 * the one that became due last, such as that of a new event or a manual retry. The oldest delivery may be one
 * that the endpoint always rejects, although it accepts others.
 */
export const selectProbe = (db: Reader, { spaceId, environment }: Scope, webhookId: string, now: Date) =>
  db.query<DueDelivery>(sql`
    select id, position, nth, tries from (
      select id, position, nth, tries, next_attempt_at from webhook_deliveries
      where space_id = ${spaceId} and environment = ${environment} and webhook_id = ${webhookId} and status = 'pending'
        and next_attempt_at <= ${now}
      order by next_attempt_at desc, position desc limit ${sortedAtOnce}
    ) due order by tries > 0, next_attempt_at desc, position desc limit 1`)

/** The changes to a delivery that result from one attempt. */
export type AttemptResult = Scoped<
  Omit<DueDelivery, 'nth'> &
    Pick<Delivery, 'webhookId' | 'status' | 'nextAttemptAt'> & { attempt: DeliveryAttempt }
>

const maxAttemptsKept = 25 // limit: attempts kept per delivery

/** Records the attempts of several Spaces together. Deliveries that are no longer pending are ignored. */
export const recordResults = (tx: Tx, results: AttemptResult[]) =>
  // every space: the rows name Space and environment
  tx.run(sql`
    update webhook_deliveries d set status = requested.status, next_attempt_at = requested.next_attempt_at,
      tries = requested.tries,
      attempts = (case when jsonb_array_length(d.attempts) < ${maxAttemptsKept} then d.attempts else d.attempts - 0 end)
        || requested.attempt::jsonb
    from ${resultRows(results)}
    where d.space_id = requested.space_id and d.environment = requested.environment and d.id = requested.id
      and d.position = requested.position and d.status = 'pending'`)

const resultRows = unnestScoped({
  id: uuid,
  position: bigint,
  status: text,
  nextAttemptAt: orNull(time),
  tries: integer,
  attempt: jsonb<DeliveryAttempt>(),
})
