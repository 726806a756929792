import { durationMs } from '../../platform/duration.ts'
import { showId } from '../../platform/ids.ts'
import type { OutboundAnswer } from '../../platform/outbound/outbound.ts'
import { deliveryIds, eventIds, webhookIds } from '../resources.ts'
import type { Attempt, Delivery, DeliveryStatus } from './delivery-store.ts'

/** How long after each failed attempt the next is made, give or take a fifth. After the last there is none. */
const retryWaitsMs = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'].map(durationMs)
const spread = 0.2
/** A receiver may ask for more time, but not for ever. */
const maxWaitMs = durationMs('24h')

/** What came back: an answer of any status, or why there was none. */
export type Came = { answer: OutboundAnswer } | { error: string }

export const isSuccess = (came: Came) =>
  'answer' in came && came.answer.status >= 200 && came.answer.status < 300

/** What becomes of a delivery after its `tries`-th attempt in a row, at `now` by the Space's clock. */
export function nextStep(
  came: Came,
  tries: number,
  now: Date,
  random: () => number = Math.random,
): { status: DeliveryStatus; nextAttemptAt: Date | null } {
  if (isSuccess(came)) return { status: 'delivered', nextAttemptAt: null }
  const waitMs = retryWaitsMs[tries - 1]
  if (waitMs === undefined) return { status: 'failed', nextAttemptAt: null }
  const spreadMs = waitMs * (1 - spread + 2 * spread * random())
  const askedMs = 'answer' in came ? retryAfterMs(came.answer.retryAfter, now) : 0
  const untilMs = Math.max(spreadMs, Math.min(askedMs, maxWaitMs))
  return { status: 'pending', nextAttemptAt: new Date(now.getTime() + untilMs) }
}

/** Seconds, or a date. */
function retryAfterMs(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : at - now.getTime()
}

export const attemptOf = (came: Came, at: Date, durationMs: number): Attempt => ({
  time: at.toISOString(),
  statusCode: 'answer' in came ? came.answer.status : null,
  durationMs,
  error: 'error' in came ? came.error : null,
  responseBody: 'answer' in came ? came.answer.body : null,
})

export const presentDelivery = (delivery: Delivery) => ({
  id: showId(deliveryIds, delivery.id),
  webhookId: showId(webhookIds, delivery.webhookId),
  eventId: showId(eventIds, delivery.eventId),
  eventType: delivery.eventType,
  status: delivery.status,
  nextAttemptTime: delivery.nextAttemptAt?.toISOString() ?? null,
  attempts: delivery.attempts,
  createTime: delivery.createdAt.toISOString(),
})
