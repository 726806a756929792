import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../platform/scope.ts'
import { createAttemptBudget } from './attempt-budget.ts'

const nowMs = Date.parse('2026-11-21T10:00:00Z')
const space = (environment: Scope['environment'] = 'test'): Scope => ({
  spaceId: crypto.randomUUID(),
  environment,
})

/** Returns how many attempts a Space can make at once. */
function countAtOnce(
  budget: ReturnType<typeof createAttemptBudget>,
  scope: Scope,
  isFailing: boolean,
  atMs = nowMs,
) {
  let count = 0
  while (count < 10_000 && budget.take(scope, isFailing, atMs) === 0) count++
  return count
}

test('each Space and environment has its own budget, which refills within a second', () => {
  const budget = createAttemptBudget({ webhookLimit: 200, rateLimits: 'on' })
  const [one, other] = [space(), space()]
  const live: Scope = { ...one, environment: 'live' }
  assert.deepEqual(
    [one, other, live].map((scope) => countAtOnce(budget, scope, false)),
    [200, 200, 200],
  )
  assert.ok(budget.take(one, false, nowMs) > 0)
  assert.equal(countAtOnce(budget, one, false, nowMs + 1_000), 200)
})

test('failing endpoints have a smaller budget that leaves capacity for the others', () => {
  const budget = createAttemptBudget({ webhookLimit: 200, rateLimits: 'on' })
  const scope = space()
  assert.equal(countAtOnce(budget, scope, true), 50)
  assert.equal(countAtOnce(budget, scope, false), 150)
})

test('without rate limits, the budget is unlimited', () => {
  const budget = createAttemptBudget({ webhookLimit: 1, rateLimits: 'off' })
  assert.equal(countAtOnce(budget, space(), true), 10_000)
})
