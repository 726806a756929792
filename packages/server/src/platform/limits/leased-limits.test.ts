import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { until } from '../../../../../test/support/harness.ts'
import { sendSteadily } from '../../../../../test/support/steady-rate.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { createSeals } from '../seals.ts'
import { grantLeases } from './lease-store.ts'
import { createLeasedRateLimiter, type LeasedRateLimiter } from './leased-limits.ts'
import { type Limit, perSecond, type RateLimiter } from './rate-limits.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 6, onIdleError: () => {} })
})
after(async () => {
  await db.close()
  await place.drop()
})

const seals = createSeals('the secret that all nodes of a test share')
const hashOf = (key: string) => seals.tag('rate limit', key)

/** Opens the limiters of several nodes, and counts the statements with which they lease. */
function openNodes(count: number) {
  const used = { statements: 0, failures: 0, isDown: false }
  const limiters: LeasedRateLimiter[] = Array.from({ length: count }, () =>
    createLeasedRateLimiter({
      nodes: () => count,
      hashOf,
      async grant(requests) {
        used.statements++
        if (used.isDown) throw new Error('the database is down')
        return grantLeases(db, requests)
      },
      announce: (hash) => {
        for (const limiter of limiters) limiter.heard(hash)
      },
      failed: () => void used.failures++,
    }),
  )
  return { limiters, used }
}

/** Makes requests at a steady rate, and returns how many were allowed. */
async function flood(limiter: RateLimiter, limit: Limit, perSecond: number, seconds: number) {
  const { answers, ...times } = await sendSteadily(perSecond, seconds, () => limiter.take([limit]))
  return { ...times, allowed: answers.filter((exceeded) => exceeded === undefined).length }
}

const limitOf = (atMost: number): Limit => perSecond('limit', randomUUID(), atMost)
const sum = (floods: { allowed: number }[]) => floods.reduce((total, { allowed }) => total + allowed, 0)

describe('three nodes together allow what one would', { concurrency: true }, () => {
  for (const atMost of [2, 5, 20, 100, 500])
    for (const [name, parts] of [
      ['evenly', [1, 1, 1]],
      ['mostly to one', [8, 1, 0.2]],
      ['only to one', [1, 0, 0]],
    ] as const)
      test(`${atMost} a second, sent ${name}`, async () => {
        const { limiters } = openNodes(3)
        const limit = limitOf(atMost)
        const floods = await Promise.all(
          limiters.map((limiter, i) => flood(limiter, limit, parts[i]! * atMost * 2, 2)),
        )
        const allowed = sum(floods)
        const most = atMost * (1 + Math.max(...floods.map(({ answeredSeconds }) => answeredSeconds)))
        const fewest = atMost * (3 - Math.max(...floods.map(({ stalledSeconds }) => stalledSeconds)))
        assert.ok(allowed <= most * 1.1 + 1, `${allowed} instead of ${most}`)
        // A busy machine delays leases. Without leases, a node would allow at most a third.
        assert.ok(allowed >= fewest * 0.7 - 1, `${allowed} instead of ${fewest}`)
      })
})

test('a limit of which every node uses little costs no statement', async () => {
  const { limiters, used } = openNodes(3)
  const limit = limitOf(100)
  for (const limiter of limiters) for (let i = 0; i < 15; i++) assert.equal(limiter.take([limit]), undefined)
  assert.equal(used.statements, 0)
})

test('a single node never leases', async () => {
  const { limiters, used } = openNodes(1)
  const limit = limitOf(5)
  const answers = await Promise.all(Array.from({ length: 20 }, () => limiters[0]!.take([limit])))
  assert.equal(answers.filter((exceeded) => exceeded === undefined).length, 5)
  assert.equal(used.statements, 0)
})

test('requests of one moment share a statement, whatever their limits', async () => {
  const { limiters, used } = openNodes(3)
  const limits = Array.from({ length: 300 }, () => limitOf(2))
  const answers = await Promise.all(limits.map((limit) => limiters[0]!.take([limit])))
  assert.deepEqual(new Set(answers), new Set([undefined]))
  assert.equal(used.statements, 1)
})

test('leases are not asked for on behalf of one Space, because all of them wait', async () => {
  const space = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const limiter = createLeasedRateLimiter({
    ...{ nodes: () => 3, hashOf, announce: () => {}, failed: () => {} },
    grant(requests) {
      seen.push(space.getStore())
      return grantLeases(db, requests)
    },
  })
  await space.run('a Space', () => limiter.take([limitOf(1)]))
  assert.deepEqual(seen, [undefined])
})

test('a request that exceeds one limit is not counted against the others', async () => {
  const { limiters } = openNodes(3)
  const [wide, narrow] = [limitOf(10), limitOf(2)]
  const exceeded: (string | undefined)[] = []
  for (let i = 0; i < 12; i++) exceeded.push((await limiters[i % 3]!.take([wide, narrow]))?.name)
  assert.equal(exceeded.filter((name) => name === undefined).length, 2)
  const rest = await Promise.all(limiters.map(async (limiter) => flood(limiter, wide, 100, 0.1)))
  assert.ok(sum(rest) >= 8, `${sum(rest)}`)
})

test('what one node counts is checked by the others', async () => {
  const { limiters } = openNodes(3)
  const failures: Limit = { name: 'failures', key: randomUUID(), atMost: 10, perMs: 60_000 }
  for (let i = 0; i < 10; i++) limiters[0]!.count(failures)
  await until(() => limiters[0]!.check([failures]))
  for (const limiter of limiters) {
    const { waitMs = 0 } = (await limiter.check([failures])) ?? {}
    assert.ok(waitMs > 0 && waitMs <= 60_000, `${waitMs}`)
  }
})

test('while leases fail, each node applies the limit on its own, and it leases again later', async () => {
  const { limiters, used } = openNodes(3)
  const limit = limitOf(5)
  used.isDown = true
  const floods = await Promise.all(limiters.map((limiter) => flood(limiter, limit, 50, 0.3)))
  for (const { allowed, answeredSeconds } of floods)
    assert.ok(allowed >= 5 && allowed <= 5 * (1 + answeredSeconds) + 1, `${allowed}`)
  assert.ok(used.failures > 0 && used.failures <= 3, `${used.failures}`)
  used.isDown = false
  const before = used.statements
  while (used.statements === before) {
    await limiters[0]!.take([limit])
    await sleep(20)
  }
})

test('rows do not reveal what is limited, and expire', async () => {
  const { limiters } = openNodes(3)
  const limit = perSecond('page-limit', '192.0.2.77', 1)
  await limiters[0]!.take([limit])
  const { text } = await db.only<{ text: string }>(sql`
    select coalesce(string_agg(rate_limits::text || encode(key, 'escape'), ' '), '') as text from rate_limits`)
  assert.ok(!text.includes('192.0.2.77') && !text.includes(Buffer.from('192.0.2.77').toString('hex')))
  const rows = await db.query(sql`
    select from rate_limits where key = ${Buffer.from(hashOf(limit.key), 'base64url')}`)
  assert.equal(rows.length, 1)
})
