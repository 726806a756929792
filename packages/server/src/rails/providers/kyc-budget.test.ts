import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryRateLimiter } from '../../platform/limits/rate-limits.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusals.ts'
import { openKycBudget } from './kyc-budget.ts'

const settings = { kycLimit: 4, kycTokenLimit: 3, kycMissingLimit: 2 }
const scopeOf = (spaceId: string, environment: 'test' | 'live' = 'live') => ({ spaceId, environment })
const ours = scopeOf('ours')

/** A look-up by a token in a Space, or a look-up in that Space for an account that does not exist. */
type Use = [space: typeof ours, token: string] | [missing: typeof ours]
const times = (count: number, use: Use): Use[] => Array.from({ length: count }, () => use)

const histories: [what: string, uses: Use[], space: typeof ours, token: string, limit: string | undefined][] =
  [
    ['nothing was looked up', [], ours, 'a', undefined],
    ['a token has one left', times(2, [ours, 'a']), ours, 'a', undefined],
    ['a token has none left', times(3, [ours, 'a']), ours, 'a', 'kyc-token-limit'],
    ['another token of that Space has some left', times(3, [ours, 'a']), ours, 'b', undefined],
    ['a token counts in all Spaces', times(3, [scopeOf('theirs'), 'a']), ours, 'a', 'kyc-token-limit'],
    ['a Space has none left', [...times(3, [ours, 'a']), [ours, 'b']], ours, 'b', 'kyc-space-limit'],
    [
      'another Space has some left',
      [...times(3, [ours, 'a']), [ours, 'b']],
      scopeOf('theirs'),
      'b',
      undefined,
    ],
    [
      'the other environment has some left',
      [...times(3, [ours, 'a']), [ours, 'b']],
      scopeOf('ours', 'test'),
      'b',
      undefined,
    ],
    ['one account did not exist', times(1, [ours]), ours, 'a', undefined],
    ['two accounts did not exist', times(2, [ours]), ours, 'a', 'kyc-missing-limit'],
    ['the look-ups were in another Space', times(2, [ours]), scopeOf('theirs'), 'a', undefined],
    [
      'the longest wait is reported',
      [...times(2, [ours]), ...times(3, [scopeOf('theirs'), 'a'])],
      ours,
      'a',
      'kyc-token-limit',
    ],
  ]

const limitOf = async (spent: Promise<void>): Promise<unknown> => {
  try {
    await spent
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal && error.reason === 'too_many_requests')
    return error.headers['service-rate-limit']
  }
}

const openBudget = () =>
  openKycBudget({ settings, limiter: createMemoryRateLimiter(), metrics: createMetrics() })

for (const [what, uses, space, token, limit] of histories)
  test(`${what}: ${limit ?? 'served'}`, async () => {
    const budget = openBudget()
    for (const [scope, by] of uses)
      if (by === undefined) budget.countMissing(scope)
      else await budget.spend(scope, by)
    assert.equal(await limitOf(budget.spend(space, token)), limit)
  })

test('a refused look-up is not counted', async () => {
  const budget = openBudget()
  for (let i = 0; i < 3; i++) await budget.spend(ours, 'a')
  for (let i = 0; i < 3; i++) assert.equal(await limitOf(budget.spend(ours, 'a')), 'kyc-token-limit')
  await budget.spend(ours, 'b')
  assert.equal(await limitOf(budget.spend(ours, 'b')), 'kyc-space-limit')
})
