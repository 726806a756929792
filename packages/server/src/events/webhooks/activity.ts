import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import type { DeliveryAttempt } from './delivery-store.ts'
import { addHours, selectHours, type WebhookHour } from './hour-store.ts'
import type { Webhook } from './store.ts'

const hourMs = 3_600_000
const hoursOfDay = 24

type Attempted = Scoped<{ webhookId: string; attempt: DeliveryAttempt; isDelivered: boolean }>

/** Counts attempts in the hours in which they were made, with one row per webhook and hour. */
export async function countAttempts(tx: Tx, attempts: Attempted[]): Promise<void> {
  const counted = new Map<string, Scoped<WebhookHour>>()
  for (const { scope, webhookId, attempt, isDelivered } of attempts) {
    const hour = hourOf(new Date(attempt.time))
    const hourOfDay = (hour.getTime() / hourMs) % hoursOfDay
    const key = `${globalName(scope, webhookId)} ${hourOfDay}`
    const row = counted.get(key) ?? { scope, webhookId, hourOfDay, hour, ...nothing }
    counted.set(key, {
      ...row,
      delivered: row.delivered + Number(isDelivered),
      failed: row.failed + Number(!isDelivered),
      ...(!isDelivered && {
        failedAt: new Date(attempt.time),
        failedStatus: attempt.statusCode,
        failedError: attempt.error,
      }),
    })
  }
  if (counted.size > 0) await addHours(tx, [...counted.values()])
}

const nothing = { delivered: 0, failed: 0, failedAt: null, failedStatus: null, failedError: null }

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

export type WithHours<Row> = Row & { hours?: WebhookHour[] }

/** Adds to each webhook the hours of the last day, all of them, oldest first. */
export async function withHours<Row extends Webhook>(
  db: Reader,
  scope: Scope,
  webhooks: Row[],
  now: Date,
): Promise<WithHours<Row>[]> {
  const ids = webhooks.map(({ id }) => id)
  const first = new Date(hourOf(now).getTime() - (hoursOfDay - 1) * hourMs)
  const rows = ids.length > 0 ? await selectHours(db, scope, ids, first) : []
  const byWebhook = Map.groupBy(rows, ({ webhookId }) => webhookId)
  return webhooks.map((webhook) => {
    const counted = new Map(byWebhook.get(webhook.id)?.map((row) => [row.hour.getTime(), row]))
    const hours = Array.from({ length: hoursOfDay }, (_, i) => {
      const hour = new Date(first.getTime() + i * hourMs)
      return counted.get(hour.getTime()) ?? { webhookId: webhook.id, hourOfDay: 0, hour, ...nothing }
    })
    return { ...webhook, hours }
  })
}

/** Returns the last day of a webhook as the API shows it. */
export function presentActivity(hours: WebhookHour[]) {
  const sum = (of: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[of], 0)
  const [delivered, failed] = [sum('delivered'), sum('failed')]
  const last = hours.findLast(({ failedAt }) => failedAt !== null)
  return {
    delivered,
    failed,
    successRate: delivered + failed === 0 ? null : delivered / (delivered + failed),
    hours: hours.map((hour) => ({
      time: hour.hour.toISOString(),
      delivered: hour.delivered,
      failed: hour.failed,
    })),
    lastError: last?.failedAt
      ? { time: last.failedAt.toISOString(), statusCode: last.failedStatus, error: last.failedError }
      : null,
  }
}
