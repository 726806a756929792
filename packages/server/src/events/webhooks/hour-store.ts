import { integer, orNull, text, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Scope } from '../../platform/scope.ts'

/** The attempts of a webhook in one hour. Each hour of the day has a row, which the next day overwrites. */
const hours = table('webhook_hours', ['webhookId', 'hourOfDay'], {
  webhookId: uuid,
  hourOfDay: integer,
  /** The beginning of the counted hour. */
  hour: time,
  delivered: integer,
  failed: integer,
  /** The last failed attempt: its time, the HTTP status of the response, and the reason if there was none. */
  failedAt: orNull(time),
  failedStatus: orNull(integer),
  failedError: orNull(text),
})
export type WebhookHour = RowOf<typeof hours>

/** Adds attempts to their hours. There must be at most one row per webhook and hour of the day. */
export const addHours = (tx: Tx, counted: Scoped<WebhookHour>[]) =>
  tx.run(sql`
    -- every space: the rows name Space and environment
    ${hours.insert(counted)}
    order by space_id, environment, webhook_id, hour_of_day
    on conflict (space_id, environment, webhook_id, hour_of_day) do update set hour = excluded.hour,
      delivered = excluded.delivered + case when webhook_hours.hour = excluded.hour then webhook_hours.delivered else 0 end,
      failed = excluded.failed + case when webhook_hours.hour = excluded.hour then webhook_hours.failed else 0 end,
      failed_at = case when excluded.failed > 0 or webhook_hours.hour <> excluded.hour then excluded.failed_at
        else webhook_hours.failed_at end,
      failed_status = case when excluded.failed > 0 or webhook_hours.hour <> excluded.hour then excluded.failed_status
        else webhook_hours.failed_status end,
      failed_error = case when excluded.failed > 0 or webhook_hours.hour <> excluded.hour then excluded.failed_error
        else webhook_hours.failed_error end`)

/** Returns the hours of these webhooks from `since` on, oldest first. */
export const selectHours = (db: Reader, { spaceId, environment }: Scope, webhookIds: string[], since: Date) =>
  db.query<WebhookHour>(sql`
    select ${hours.columnsOf('counted')} from unnest(${webhookIds}::uuid[]) requested (id)
    cross join lateral (
      select * from webhook_hours
      where space_id = ${spaceId} and environment = ${environment} and webhook_id = requested.id
        and hour >= ${since}
      offset 0
    ) counted
    order by counted.hour`)

export const deleteHours = (tx: Tx, { spaceId, environment }: Scope, webhookId: string) =>
  tx.run(sql`
    delete from webhook_hours
    where space_id = ${spaceId} and environment = ${environment} and webhook_id = ${webhookId}`)
