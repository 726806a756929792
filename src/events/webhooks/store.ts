import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/route.ts'
import type { Metadata } from '../../platform/http/shapes.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'

/** An endpoint of a merchant's that is told of events. Keys are locked in the vault. */
export type Webhook = {
  id: string
  name: string
  apiRelease: string
  url: string
  /** Names, `payment.*` or `*`. */
  subscriptions: string[]
  enabled: boolean
  /** Sent with each delivery. */
  headers: Record<string, string>
  alertEmails: string[]
  verification: 'HS256' | 'ED25519'
  secret: Buffer
  publicKey: string | null
  /** Signs too until `oldSecretUntil`. */
  oldSecret: Buffer | null
  oldSecretUntil: Date | null
  metadata: Metadata
  /** Since when nothing has succeeded; null: the last attempt did, or none was made. */
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Why an endpoint was disabled by us: it said that it is gone, or nothing succeeded for days. */
export type DisabledReason = 'gone' | 'failing'

const columns = sql`id, name, api_release, url, subscriptions, enabled, headers, alert_emails, verification, secret,
  public_key, old_secret, old_secret_until, metadata, failing_since, created_at, updated_at`

export const insertWebhook = (tx: Tx, { spaceId, environment }: Scope, webhook: Webhook) =>
  tx.run(sql`
    insert into webhooks (space_id, environment, id, name, api_release, url, subscriptions, enabled, headers,
      alert_emails, verification, secret, public_key, metadata, created_at, updated_at)
    values (${spaceId}, ${environment}, ${webhook.id}, ${webhook.name}, ${webhook.apiRelease}, ${webhook.url},
      ${webhook.subscriptions}, ${webhook.enabled}, ${JSON.stringify(webhook.headers)}, ${webhook.alertEmails},
      ${webhook.verification}, ${webhook.secret}, ${webhook.publicKey}, ${JSON.stringify(webhook.metadata)},
      ${webhook.createdAt}, ${webhook.createdAt})`)

export const selectWebhook = (db: Reader, { spaceId, environment }: Scope, id: string, lock: Sql = nothing) =>
  db.one<Webhook>(sql`
    select ${columns} from webhooks
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and deleted_at is null ${lock}`)

export const shareWebhooks = (db: Database) =>
  shareReads<Webhook>(
    db,
    sql`
      select ${columns} from webhooks
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id and deleted_at is null`,
  )

export const selectWebhooks = (db: Reader, { spaceId, environment }: Scope, page: Page) =>
  db.query<Webhook>(sql`
    select ${columns} from webhooks
    where space_id = ${spaceId} and environment = ${environment} and deleted_at is null
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

export const countWebhooks = async (db: Reader, { spaceId, environment }: Scope): Promise<number> =>
  (
    await db.only<{ count: number }>(sql`
      select count(*)::int as count from webhooks
      where space_id = ${spaceId} and environment = ${environment} and deleted_at is null`)
  ).count

/** What PATCH and a rotation change. Enabled again, an endpoint begins anew. */
export const updateWebhook = (tx: Tx, { spaceId, environment }: Scope, webhook: Webhook) =>
  tx.run(sql`
    update webhooks set name = ${webhook.name}, api_release = ${webhook.apiRelease}, url = ${webhook.url},
      subscriptions = ${webhook.subscriptions}, headers = ${JSON.stringify(webhook.headers)},
      alert_emails = ${webhook.alertEmails}, secret = ${webhook.secret}, public_key = ${webhook.publicKey},
      old_secret = ${webhook.oldSecret}, old_secret_until = ${webhook.oldSecretUntil},
      metadata = ${JSON.stringify(webhook.metadata)}, updated_at = ${webhook.updatedAt}, enabled = ${webhook.enabled},
      failing_since = case when ${webhook.enabled} and not enabled then null else failing_since end,
      disabled_reason = case when ${webhook.enabled} then null else disabled_reason end
    where space_id = ${spaceId} and environment = ${environment} and id = ${webhook.id}`)

/** Returns whether it was there. Nobody finds its deliveries from now on. */
export const deleteWebhook = async (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  (await tx.run(sql`
    update webhooks set deleted_at = ${at}, enabled = false, updated_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and deleted_at is null`)) ===
  1

/** Answers the endpoint when it was enabled until now. */
export const disable = (
  tx: Tx,
  { spaceId, environment }: Scope,
  id: string,
  reason: DisabledReason,
  at: Date,
) =>
  tx.one<Webhook>(sql`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = ${at}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and enabled and deleted_at is null
    returning ${columns}`)

/** Notes that the endpoint began to fail, or that it no longer does. */
export const markFailing = (tx: Tx, { spaceId, environment }: Scope, id: string, since: Date | null) =>
  tx.run(sql`
    update webhooks set failing_since = ${since}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}
      and ${since === null ? sql`failing_since is not null` : sql`failing_since is null`}`)

/** Whether there is or was such an endpoint: to remove it again is no fault. */
export const isKnown = async (db: Reader, { spaceId, environment }: Scope, id: string) =>
  (await db.one(sql`
    select 1 from webhooks where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)) !==
  undefined
