import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, planOrders } from './month.ts'

const anyMoment = Date.parse('2026-11-26T16:40:00Z')

test('the month is about the same whenever the demo starts', () => {
  for (let i = 0; i < 366; i++) {
    const now = new Date(anyMoment + i * (dayMs + 3_700_000))
    const attempts = planOrders(now).flatMap((order) => order.attempts)
    const about = `${now.toISOString()}: ${attempts.length} payments`
    assert.ok(attempts.length >= 340 && attempts.length <= 520, about)
    assert.ok(
      attempts.every(({ endsAt }) => endsAt < now),
      about,
    )
    assert.equal(new Set(attempts.map(({ customer }) => customer.providerId)).size, 6, about)
    const old = attempts.filter(({ endsAt }) => endsAt.getTime() < now.getTime() - 7 * dayMs)
    assert.ok(
      old.some(({ decline, customer }) => decline?.word === 'EXPIRED' && customer.type === 'momo'),
      `${about}, none expired`,
    )
  }
})

test('two starts at the same time plan the same month', () => {
  const now = new Date(anyMoment)
  assert.deepEqual(planOrders(now), planOrders(now))
})
