import type { Static } from 'typebox'
import { advanceTestClock, readOffset, resetTestClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { command, type Route, read, type WellFormed } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { change, maxAheadMs, testClock } from './shapes.ts'

export function testClockRoutes({ db, siblings }: Platform): Route[] {
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
      // The next request may reach another process of this node.
      afterCommit: async () => void (await siblings.ask('clocks')),
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

async function advanceBy(tx: Tx, spaceId: string, ms: number): Promise<void> {
  if ((await readOffset(tx, spaceId)) + ms > maxAheadMs)
    throw new Refusal('state_conflict', {
      message: 'A test clock can be at most ten years ahead. Reset it first.',
    })
  await advanceTestClock(tx, spaceId, ms)
}

const present = (offsetMs: number) => ({
  now: new Date(Date.now() + offsetMs).toISOString(),
  offsetMs,
})
