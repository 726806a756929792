import type { OutboundAnswer } from '@pesewa/connector-kit'
import { durationMs } from '../../platform/duration.ts'
import { showId } from '../../platform/ids.ts'
import { deliveryIds, eventIds, webhookIds } from '../resources.ts'
import type { Delivery, DeliveryAttempt } from './delivery-store.ts'

/**
 * The delays after failed attempts, which vary by ±20 %. If the attempt after the last delay also fails, there
 * are no more retries.
 */
const retryWaitsMs = ['5s', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h'].map(durationMs) // limit: delays between delivery attempts
const spread = 0.2
/** Shortest pause. A failing endpoint is paused for as long as it has been failing, but at least this long. */
const minPauseMs = durationMs('5s') // shortest pause of a failing webhook
const maxPauseMs = durationMs('5m') // longest pause of a failing webhook
/** A receiver may delay the next attempt by up to this time. */
const maxWaitMs = durationMs('24h') // limit: longest wait that a receiver can request with `Retry-After`

/** The request that sends a delivery, as the API shows it. */
export type ShownRequest = {
  method: 'POST'
  url: string
  headers: { name: string; value: string }[]
  body: string
}

/** The outcome of an attempt: a response with any status, or the reason why there was no response. */
export type AttemptOutcome = { response: OutboundAnswer } | { error: string }

export const isSuccess = (outcome: AttemptOutcome) =>
  'response' in outcome && outcome.response.status >= 200 && outcome.response.status < 300

/**
 * Returns the new state of a delivery after its `tries`-th consecutive attempt. `now` is the time on the
 * Space's clock.
 */
export function nextStep(
  outcome: AttemptOutcome,
  tries: number,
  now: Date,
  random: () => number = Math.random,
): Pick<Delivery, 'status' | 'nextAttemptAt'> {
  if (isSuccess(outcome)) return { status: 'delivered', nextAttemptAt: null }
  const waitMs = retryWaitsMs[tries - 1]
  if (waitMs === undefined) return { status: 'failed', nextAttemptAt: null }
  return { status: 'pending', nextAttemptAt: laterBy(waitMs, outcome, now, random) }
}

/**
 * Returns the time at which the pause of an endpoint that has been failing since `failingSince` ends.
 *
 * See docs/decisions/0030-webhook-delivery.md.
 */
export function pauseEnd(
  outcome: AttemptOutcome,
  failingSince: Date,
  now: Date,
  random: () => number = Math.random,
): Date {
  const failingMs = now.getTime() - failingSince.getTime()
  return laterBy(Math.min(Math.max(failingMs, minPauseMs), maxPauseMs), outcome, now, random)
}

/** Returns the given wait, varied by ±20 %, or the time in the receiver's Retry-After header if that is longer. */
function laterBy(waitMs: number, outcome: AttemptOutcome, now: Date, random: () => number): Date {
  const spreadMs = waitMs * (1 - spread + 2 * spread * random())
  const requestedMs = 'response' in outcome ? retryAfterMs(outcome.response.retryAfter, now) : 0
  return new Date(now.getTime() + Math.max(spreadMs, Math.min(requestedMs, maxWaitMs)))
}

/** Parses a Retry-After header, which contains a number of seconds or a date. */
function retryAfterMs(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : at - now.getTime()
}

export const attemptOf = (outcome: AttemptOutcome, at: Date, durationMs: number): DeliveryAttempt => ({
  time: at.toISOString(),
  statusCode: 'response' in outcome ? outcome.response.status : null,
  durationMs,
  error: 'error' in outcome ? outcome.error : null,
  responseBody: 'response' in outcome ? outcome.response.body : null,
  ...('response' in outcome &&
    !isSuccess(outcome) && { responseHeaders: shownHeaders(outcome.response.headers ?? {}) }),
})

const maxShownHeaders = 20 // headers kept of a receiver’s response to a failed attempt
const maxHeaderLength = 200 // characters kept of a header of a receiver’s response

/** Returns the first headers, cut to a limited length. Cookies are left out, because they may be secrets. */
const shownHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .slice(0, maxShownHeaders)
      .map(([name, value]) => [name.slice(0, maxHeaderLength), value.slice(0, maxHeaderLength)]),
  )

export const presentAttempt = ({ responseHeaders, ...attempt }: DeliveryAttempt) => ({
  ...attempt,
  responseHeaders: responseHeaders ? headerList(responseHeaders) : null,
})

export const headerList = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

export const presentDelivery = (delivery: Delivery & { request?: ShownRequest | undefined }) => ({
  id: showId(deliveryIds, delivery.id),
  webhookId: showId(webhookIds, delivery.webhookId),
  eventId: showId(eventIds, delivery.eventId),
  eventType: delivery.eventType,
  status: delivery.status,
  nextAttemptTime: delivery.nextAttemptAt?.toISOString() ?? null,
  attempts: delivery.attempts.map(presentAttempt),
  ...(delivery.request && { request: delivery.request }),
  createTime: delivery.createdAt.toISOString(),
})
