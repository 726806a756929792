import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, type Period } from '../../../../packages/console/src/parts/periods.ts'

const cases: [now: string, period: Period, from: string, to: string][] = [
  ['2026-11-27', 'today', '2026-11-27', ''],
  ['2026-11-03', '7d', '2026-10-28', ''],
  ['2026-11-27', '30d', '2026-10-29', ''],
  ['2026-11-27', 'month', '2026-11-01', ''],
  ['2026-11-27', 'lastWeek', '2026-11-16', '2026-11-22'],
  ['2026-11-23', 'lastWeek', '2026-11-16', '2026-11-22'],
  ['2026-11-22', 'lastWeek', '2026-11-09', '2026-11-15'],
  ['2027-01-02', 'lastWeek', '2026-12-21', '2026-12-27'],
  ['2027-01-31', 'lastMonth', '2026-12-01', '2026-12-31'],
  ['2028-03-31', 'lastMonth', '2028-02-01', '2028-02-29'],
]
for (const [now, period, from, to] of cases)
  test(`on ${now}, ${period} is from ${from} to ${to || 'today'}`, () => {
    assert.deepEqual(daysOf(period, new Date(`${now}T15:00:00`)), { from, to })
  })
