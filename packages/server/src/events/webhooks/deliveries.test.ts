import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttemptOutcome, nextStep, pauseEnd } from './deliveries.ts'

const now = new Date('2026-11-21T10:00:00Z')
const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const response = (status: number, retryAfter?: string): AttemptOutcome => ({
  response: { status, body: '', retryAfter },
})
const noResponse: AttemptOutcome = { error: 'timeout' }

/** `spread`: 0 means a fifth earlier, 0.5 exactly on time, and 1 a fifth later. */
const steps: [
  outcome: AttemptOutcome,
  tries: number,
  spread: number,
  status: string,
  waitMs: number | null,
][] = [
  [response(200), 1, 0.5, 'delivered', null],
  [response(204), 9, 0.5, 'delivered', null],
  [response(299), 10, 0.5, 'delivered', null],
  // Only 2xx is a success.
  [response(199), 1, 0.5, 'pending', 5 * second],
  [response(301), 1, 0.5, 'pending', 5 * second],
  [response(404), 1, 0.5, 'pending', 5 * second],
  [noResponse, 1, 0.5, 'pending', 5 * second],
  [noResponse, 2, 0.5, 'pending', 5 * minute],
  [noResponse, 3, 0.5, 'pending', 30 * minute],
  [noResponse, 4, 0.5, 'pending', 2 * hour],
  [noResponse, 5, 0.5, 'pending', 5 * hour],
  [noResponse, 6, 0.5, 'pending', 10 * hour],
  [noResponse, 7, 0.5, 'pending', 14 * hour],
  [noResponse, 8, 0.5, 'pending', 20 * hour],
  [noResponse, 9, 0.5, 'pending', 24 * hour],
  [noResponse, 10, 0.5, 'failed', null],
  [noResponse, 1, 0, 'pending', 4 * second],
  [noResponse, 1, 1, 'pending', 6 * second],
  [noResponse, 9, 1, 'pending', 28.8 * hour],
  // With Retry-After, in seconds or as a date, a receiver can delay the next attempt by up to a day, but not
  // bring it forward.
  [response(503, '60'), 1, 0.5, 'pending', minute],
  [response(503, '1'), 1, 0.5, 'pending', 5 * second],
  [response(503, 'Sat, 21 Nov 2026 10:01:00 GMT'), 1, 0.5, 'pending', minute],
  [response(503, 'Sat, 21 Nov 2026 09:00:00 GMT'), 1, 0.5, 'pending', 5 * second],
  [response(503, '999999999'), 1, 0.5, 'pending', 24 * hour],
  [response(503, '9999999999'), 1, 0.5, 'pending', 5 * second],
  [response(503, 'soon'), 1, 0.5, 'pending', 5 * second],
  [response(503, '-1'), 1, 0.5, 'pending', 5 * second],
  // Retry-After does not add another attempt after the last.
  [response(503, '60'), 10, 0.5, 'failed', null],
]

for (const [outcome, tries, spread, status, waitMs] of steps) {
  const what =
    'error' in outcome ? 'no response' : `${outcome.response.status} ${outcome.response.retryAfter ?? ''}`
  test(`${what.trim()} at attempt ${tries}, spread ${spread}: ${status}${waitMs ? `, again in ${waitMs} ms` : ''}`, () => {
    const step = nextStep(outcome, tries, now, () => spread)
    const nextAttemptAt = waitMs === null ? null : new Date(now.getTime() + waitMs)
    assert.deepEqual(step, { status, nextAttemptAt })
  })
}

/** `failingMs`: how long the endpoint has been failing. */
const pauses: [outcome: AttemptOutcome, failingMs: number, spread: number, pauseMs: number][] = [
  [noResponse, 0, 0.5, 5 * second],
  [noResponse, 5 * second, 0.5, 5 * second],
  [noResponse, 40 * second, 0.5, 40 * second],
  [noResponse, 5 * minute, 0.5, 5 * minute],
  [noResponse, 100 * hour, 0.5, 5 * minute],
  [noResponse, 40 * second, 0, 32 * second],
  [noResponse, 40 * second, 1, 48 * second],
  // Retry-After can extend the pause.
  [response(503, '60'), 0, 0.5, minute],
  [response(503, '1'), 40 * second, 0.5, 40 * second],
  [response(429, '999999999'), 0, 0.5, 24 * hour],
]

for (const [outcome, failingMs, spread, pauseMs] of pauses) {
  const what =
    'error' in outcome ? 'no response' : `${outcome.response.status} ${outcome.response.retryAfter}`
  test(`${what} after ${failingMs} ms of failures, spread ${spread}: a pause of ${pauseMs} ms`, () => {
    const end = pauseEnd(outcome, new Date(now.getTime() - failingMs), now, () => spread)
    assert.equal(end.getTime() - now.getTime(), pauseMs)
  })
}
