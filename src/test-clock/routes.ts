import Type, { type Static } from 'typebox'
import { advanceTestClock, readOffset, resetTestClock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { durationMs } from '../platform/duration.ts'
import { command, type Route, read, type Sound } from '../platform/http/route.ts'
import { described, duration, object, optional, timestamp } from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'

const testClock = object(
  {
    now: described(timestamp, 'What time it is in the Space.'),
    offsetMs: Type.Integer({
      description: 'How far ahead of real time, in milliseconds.',
      examples: [7_200_000],
    }),
  },
  { title: 'TestClock' },
)

const step = duration('1s', '30d') // limit: how far a test clock is moved at once

const change = object({
  advance: described(optional(step), 'How far the clock is moved ahead; jobs that fall due meanwhile run.'),
  reset: optional(Type.Boolean({ description: 'Back to real time.', default: false })),
})

export function testClockRoutes({ db, clock }: Platform): Route[] {
  return [
    read({
      url: '/v1/test-clock',
      summary: "Retrieve the Space's test clock",
      permission: 'checkout-sessions:read',
      result: testClock,
      read: async ({ scope }) => {
        requireTest(scope)
        return present(await readOffset(db, scope.spaceId))
      },
    }),
    command({
      url: '/v1/test-clock',
      summary: "Move the Space's test clock ahead, or back to real time",
      reasons: ['state_conflict'],
      permission: 'checkout-sessions:write',
      body: change,
      result: testClock,
      example: { advance: '2h' },
      rules: [{ about: ['reset'], says: 'Either `advance` is given or `reset` is true.' }],
      judge: (_db, { body }, faults) => judgeMove(body, faults),
      write: async (tx, { scope, body: { advance, reset } }) => {
        requireTest(scope)
        const faults = new Faults()
        judgeMove({ advance, reset }, faults)
        faults.refuse()
        if (advance === undefined) await resetTestClock(tx, scope.spaceId)
        else await advanceBy(tx, scope.spaceId, durationMs(advance))
        return present(await readOffset(tx, scope.spaceId))
      },
      afterCommit: () => clock.follow(),
    }),
  ]
}

function judgeMove({ advance, reset }: Sound<Static<typeof change>>, faults: Faults): void {
  if (reset && advance !== undefined) faults.add('reset', 'must not be asked for together with advance')
  if (reset || advance !== undefined || faults.isFaulty('advance') || faults.isFaulty('reset')) return
  faults.add('reset', 'must be true where advance is left out')
}

/** Live clocks show the real time, always. */
function requireTest({ environment }: Scope): void {
  if (environment !== 'test')
    throw new Refusal('access_denied', { message: 'Only tokens of the test environment have a test clock.' })
}

/** Far enough for whatever expires, and near enough for every time to be one. */
const maxAheadMs = 10 * 366 * 24 * 60 * 60 * 1000 // limit: how far a test clock is ahead of real time

async function advanceBy(tx: Tx, spaceId: string, ms: number): Promise<void> {
  if ((await readOffset(tx, spaceId)) + ms > maxAheadMs)
    throw new Refusal('state_conflict', { message: 'A test clock can be at most ten years ahead; reset it.' })
  await advanceTestClock(tx, spaceId, ms)
}

const present = (offsetMs: number) => ({ now: new Date(Date.now() + offsetMs).toISOString(), offsetMs })
