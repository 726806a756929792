import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Came, nextStep } from './deliveries.ts'

const now = new Date('2026-11-21T10:00:00Z')
const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const came = (status: number, retryAfter?: string): Came => ({
  answer: { status, body: '', retryAfter },
})
const noAnswer: Came = { error: 'timeout' }

/** `spread`: 0 is a fifth earlier, 0.5 the middle, 1 a fifth later. */
const steps: [came: Came, tries: number, spread: number, status: string, waitMs: number | null][] = [
  [came(200), 1, 0.5, 'delivered', null],
  [came(204), 9, 0.5, 'delivered', null],
  [came(299), 10, 0.5, 'delivered', null],
  // Only 2xx is success.
  [came(199), 1, 0.5, 'pending', 5 * second],
  [came(301), 1, 0.5, 'pending', 5 * second],
  [came(404), 1, 0.5, 'pending', 5 * second],
  [noAnswer, 1, 0.5, 'pending', 5 * second],
  [noAnswer, 2, 0.5, 'pending', 5 * minute],
  [noAnswer, 3, 0.5, 'pending', 30 * minute],
  [noAnswer, 4, 0.5, 'pending', 2 * hour],
  [noAnswer, 5, 0.5, 'pending', 5 * hour],
  [noAnswer, 6, 0.5, 'pending', 10 * hour],
  [noAnswer, 7, 0.5, 'pending', 14 * hour],
  [noAnswer, 8, 0.5, 'pending', 20 * hour],
  [noAnswer, 9, 0.5, 'pending', 24 * hour],
  [noAnswer, 10, 0.5, 'failed', null],
  [noAnswer, 1, 0, 'pending', 4 * second],
  [noAnswer, 1, 1, 'pending', 6 * second],
  [noAnswer, 9, 1, 'pending', 28.8 * hour],
  // A receiver may ask for more time, in seconds or until a date, not for less, and for a day at most.
  [came(503, '60'), 1, 0.5, 'pending', minute],
  [came(503, '1'), 1, 0.5, 'pending', 5 * second],
  [came(503, 'Sat, 21 Nov 2026 10:01:00 GMT'), 1, 0.5, 'pending', minute],
  [came(503, 'Sat, 21 Nov 2026 09:00:00 GMT'), 1, 0.5, 'pending', 5 * second],
  [came(503, '999999999'), 1, 0.5, 'pending', 24 * hour],
  [came(503, '9999999999'), 1, 0.5, 'pending', 5 * second],
  [came(503, 'soon'), 1, 0.5, 'pending', 5 * second],
  [came(503, '-1'), 1, 0.5, 'pending', 5 * second],
  // It cannot ask for another attempt after the last.
  [came(503, '60'), 10, 0.5, 'failed', null],
]

for (const [came, tries, spread, status, waitMs] of steps) {
  const what = 'error' in came ? 'no answer' : `${came.answer.status} ${came.answer.retryAfter ?? ''}`
  test(`${what.trim()} at attempt ${tries}, spread ${spread}: ${status}${waitMs ? `, again in ${waitMs} ms` : ''}`, () => {
    const step = nextStep(came, tries, now, () => spread)
    const nextAttemptAt = waitMs === null ? null : new Date(now.getTime() + waitMs)
    assert.deepEqual(step, { status, nextAttemptAt })
  })
}
