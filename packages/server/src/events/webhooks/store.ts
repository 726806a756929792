import {
  boolean,
  bytea,
  json,
  jsonb,
  orNull,
  text,
  textArray,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { DeliveryAttempt } from './delivery-store.ts'

/** An example of an event type that was sent, and the attempt to send it. */
export type SentExample = DeliveryAttempt & { eventType: string }

/** An endpoint at which a merchant receives events. Its keys are encrypted. */
const webhooks = table(
  'webhooks',
  ['id'],
  {
    id: uuid,
    name: text,
    apiRelease: text,
    url: text,
    /** Event types, including `payment.*` (all types of a resource) or `*` (all types). */
    subscriptions: textArray,
    enabled: boolean,
    /** Custom headers of each delivery. */
    headers: json<Record<string, string>>(),
    alertEmails: textArray,
    verification: textOf<'HS256' | 'ED25519'>(),
    secret: bytea,
    publicKey: orNull(text),
    /** The previous key. Deliveries are signed with it as well until `oldSecretUntil`. */
    oldSecret: orNull(bytea),
    oldSecretUntil: orNull(time),
    metadata: json<Metadata>(),
    /** The time since which all attempts have failed. Null if the last attempt succeeded or none was made. */
    failingSince: orNull(time),
    /**
     * End of the pause of a failing endpoint. After the pause, deliveries are attempted one at a time until one
     * succeeds.
     */
    pausedUntil: orNull(time),
    /** The last example that was sent, with its outcome. */
    lastExample: orNull(jsonb<SentExample>()),
    createdAt: time,
    updatedAt: time,
  },
  { disabledReason: orNull(text), deletedAt: orNull(time) },
)
export type Webhook = RowOf<typeof webhooks>

/** The reason that an endpoint was disabled: it returned 410 Gone, or no delivery has succeeded for days. */
export type DisabledReason = 'gone' | 'failing'

export const insertWebhook = (tx: Tx, scope: Scope, webhook: Webhook) =>
  tx.run(webhooks.insert([{ ...webhook, scope }]))

export const selectWebhook = (db: Reader, scope: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`${webhooks.of(scope)} and id = ${id} and deleted_at is null ${lock}`)

export const shareWebhooks = (db: Database) =>
  shareReads(db, sql`${webhooks.requested} and deleted_at is null`)

export const selectWebhooks = (db: Reader, scope: Scope, page: Page) =>
  db.query(sql`
    ${webhooks.of(scope)} and deleted_at is null
      ${inPage(page)}
    order by id desc limit ${page.take}`)

export const countWebhooks = async (db: Reader, { spaceId, environment }: Scope) =>
  (
    await db.only<{ count: number }>(sql`
    select count(*)::int as count from webhooks
    where space_id = ${spaceId} and environment = ${environment} and deleted_at is null`)
  ).count

/**
 * Saves the changes made by a PATCH or a key rotation, and ends any pause. Enabling the endpoint again clears
 * its failures.
 */
export const updateWebhook = (tx: Tx, { spaceId, environment }: Scope, webhook: Webhook) =>
  tx.run(sql`
    update webhooks set name = ${webhook.name}, api_release = ${webhook.apiRelease}, url = ${webhook.url},
      subscriptions = ${webhook.subscriptions}, headers = ${JSON.stringify(webhook.headers)},
      alert_emails = ${webhook.alertEmails}, secret = ${webhook.secret}, public_key = ${webhook.publicKey},
      old_secret = ${webhook.oldSecret}, old_secret_until = ${webhook.oldSecretUntil},
      metadata = ${JSON.stringify(webhook.metadata)}, updated_at = ${webhook.updatedAt}, enabled = ${webhook.enabled},
      failing_since = case when ${webhook.enabled} and not enabled then null else failing_since end,
      paused_until = ${ended(webhook.updatedAt)},
      disabled_reason = case when ${webhook.enabled} then null else disabled_reason end
    where space_id = ${spaceId} and environment = ${environment} and id = ${webhook.id}`)

/** Removes an endpoint and hides its deliveries. Returns whether the endpoint existed. */
export const deleteWebhook = async (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  (await tx.run(sql`
    update webhooks set deleted_at = ${at}, enabled = false, updated_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and deleted_at is null`)) ===
  1

/** Disables an endpoint and returns it. Returns `undefined` if it was already disabled. */
export const disable = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  reason: DisabledReason,
  at: Date,
) =>
  tx.one(sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and enabled and deleted_at is null
    returning ${webhooks.columns}`)

/** Saves the outcome of sending an example. */
export const saveExample = (tx: Tx, { spaceId, environment }: Scope, id: string, example: SentExample) =>
  tx.run(sql`
    update webhooks set last_example = ${JSON.stringify(example)}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

/** Records the time at which the endpoint started to fail. */
export const markFailing = (tx: Tx, { spaceId, environment }: Scope, id: string, since: Date) =>
  tx.run(sql`
    update webhooks set failing_since = ${since}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and failing_since is null`)

/** Records that the endpoint works again. */
export const markWorking = (tx: Tx, { spaceId, environment }: Scope, id: string) =>
  tx.run(sql`
    update webhooks set failing_since = null, paused_until = null
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}
      and (failing_since is not null or paused_until is not null)`)

/** Pauses the endpoint. This postpones all of its deliveries, including new ones. */
export const pause = (tx: Tx, { spaceId, environment }: Scope, id: string, until: Date) =>
  tx.run(sql`
    update webhooks set paused_until = ${until}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

/**
 * Ends the pause after the endpoint was changed or a delivery was retried manually, so that one delivery is
 * attempted.
 */
export const endPause = (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  tx.run(sql`
    update webhooks set paused_until = ${ended(at)}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and paused_until > ${at}`)

const ended = (at: Date) => sql`case when paused_until > ${at} then ${at} else paused_until end`

/** Returns whether the endpoint exists or existed in the past. Deleting an endpoint again is not an error. */
export const hasExisted = async (db: Reader, { spaceId, environment }: Scope, id: string) =>
  (await db.one(sql`
    select 1 from webhooks where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)) !==
  undefined
