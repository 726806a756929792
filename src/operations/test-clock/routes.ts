import Type, { type Static } from 'typebox'
import { advanceTestClock, readOffset, resetTestClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { command, type Route, read, type WellFormed } from '../../platform/http/commands/route.ts'
import { duration, object, optional, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'

const testClock = object(
  {
    now: withDescription(timestamp, 'Current time of the Space.'),
    offsetMs: Type.Integer({
      description: 'Offset from real time, in milliseconds.',
      examples: [7_200_000],
    }),
  },
  { title: 'TestClock' },
)

const step = duration('1s', '30d') // limit: how far a test clock can be advanced in one request

const change = object({
  advance: withDescription(optional(step), 'How far to advance the clock. Jobs that become due are run.'),
  reset: optional(Type.Boolean({ description: 'True to reset the clock to real time.', default: false })),
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
      summary: "Advance or reset the Space's test clock",
      reasons: ['state_conflict'],
      permission: 'checkout-sessions:write',
      body: change,
      result: testClock,
      example: { advance: '2h' },
      rules: [{ about: ['reset'], says: 'Send either `advance`, or `reset` set to true.' }],
      validate: (_db, { body }, issues) => validateMove(body, issues),
      write: async (tx, { scope, body: { advance, reset } }) => {
        requireTest(scope)
        const issues = new Issues()
        validateMove({ advance, reset }, issues)
        issues.refuse()
        if (advance === undefined) await resetTestClock(tx, scope.spaceId)
        else await advanceBy(tx, scope.spaceId, durationMs(advance))
        return present(await readOffset(tx, scope.spaceId))
      },
      afterCommit: () => clock.follow(),
    }),
  ]
}

function validateMove({ advance, reset }: WellFormed<Static<typeof change>>, issues: Issues): void {
  if (reset && advance !== undefined) issues.add('reset', 'cannot be combined with `advance`')
  if (reset || advance !== undefined || issues.hasIssue('advance') || issues.hasIssue('reset')) return
  issues.add('reset', 'must be true if `advance` is omitted')
}

/** Refuses a call in the live environment, which always uses real time. */
function requireTest({ environment }: Scope): void {
  if (environment !== 'test')
    throw new Refusal('access_denied', {
      message: 'Only the test environment has a test clock. Use a test token.',
    })
}

/** Long enough for anything to expire, and within the range of valid dates. */
const maxAheadMs = 10 * 366 * 24 * 60 * 60 * 1000 // limit: how far ahead of real time a test clock can be

async function advanceBy(tx: Tx, spaceId: string, ms: number): Promise<void> {
  if ((await readOffset(tx, spaceId)) + ms > maxAheadMs)
    throw new Refusal('state_conflict', {
      message: 'A test clock can be at most ten years ahead. Reset it first.',
    })
  await advanceTestClock(tx, spaceId, ms)
}

const present = (offsetMs: number) => ({ now: new Date(Date.now() + offsetMs).toISOString(), offsetMs })
