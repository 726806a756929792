import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RailOutcome } from '@pesewa/connector-kit'
import { type FollowUp, followUpAfter } from './follow-ups.ts'

const hour = 3_600_000
const cases: [look: FollowUp['look'], outcome: string, next: FollowUp | undefined][] = [
  ['hour', 'failed', { look: 'day', afterMs: 23 * hour }],
  ['hour', 'succeeded', { look: 'day', afterMs: 23 * hour }],
  ['hour', 'unknown', { look: 'hour', afterMs: hour }],
  ['hour', 'pending', { look: 'hour', afterMs: hour }],
  ['hour', 'asked', { look: 'hour', afterMs: hour }],
  ['day', 'failed', undefined],
  ['day', 'succeeded', undefined],
  ['day', 'unknown', { look: 'day', afterMs: 24 * hour }],
  ['day', 'pending', { look: 'day', afterMs: 24 * hour }],
]

for (const [look, outcome, next] of cases)
  test(`${outcome} after the ${look}: ${next ? `again after ${next.afterMs / hour} h` : 'no further query'}`, () => {
    assert.deepEqual(followUpAfter(look, { outcome } as RailOutcome), next)
  })
