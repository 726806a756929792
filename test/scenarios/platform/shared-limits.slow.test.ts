import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, startTestApp, type TestApp, until } from '../../support/harness.ts'
import { type RedisServer, skipWithoutRedis, startRedis } from '../../support/redis.ts'
import { sendSteadily } from '../../support/steady-rate.ts'

// Three nodes on one database, and clients that send each request to the next node, twice as fast as they may.

const secondsOfFlood = 10
const limits = { ENDPOINT_LIMIT_TEST: 5, TOKEN_LIMIT_TEST: 20, SPACE_LIMIT_TEST: 100 }
const failedAuthentications = 20
const lists = [
  'payments',
  'payouts',
  'refunds',
  'events',
  'checkout-sessions',
  'financial-accounts',
  'webhooks',
]

async function startNodes(settings: Record<string, string>): Promise<TestApp[]> {
  const options = { settings: { ...settings, RATE_LIMITS: 'on' } }
  const first = await startTestApp(options)
  const others = await Promise.all([1, 2].map(() => startTestApp({ ...options, anotherNodeOf: first })))
  return [first, ...others]
}

async function closeNodes([first, ...others]: TestApp[]): Promise<void> {
  await Promise.all(others.map((node) => node.close()))
  await first?.close()
}

type Request = { path: string; token: string; spaceId?: string }

/** Sends requests at a steady rate for ten seconds, and returns how many this limit allowed and how many it should. */
async function flood(nodes: TestApp[], limit: string, perSecond: number, requests: Request[]) {
  const { answers, ...times } = await sendSteadily(perSecond * 2, secondsOfFlood, (i) => {
    const { path, token, spaceId } = requests[i % requests.length]!
    return send(nodes[i % nodes.length]!.baseUrl + path, token, spaceId)
  })
  return {
    name: limit,
    allowed: answers.filter((name) => name !== limit).length,
    most: perSecond * (1 + times.answeredSeconds),
    fewest: perSecond * (1 + times.sentSeconds - times.stalledSeconds),
    // While this process gets no processor time, Redis seems to be down, and the fallback counts anew.
    recounted: perSecond * times.stalledSeconds,
  }
}

async function send(url: string, token: string, spaceId?: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${token}`, ...(spaceId && { 'service-space-id': spaceId }) }
  const response = await fetch(url, { headers })
  await response.text()
  assert.ok(response.status < 500, `${response.status}`)
  return response.headers.get('service-rate-limit')
}

const requestsOf = (merchants: Merchant[], paths: string[]): Request[] =>
  paths.flatMap((path) => merchants.map(({ token, spaceId }) => ({ path: `/v1/${path}`, token, spaceId })))

async function assertShared(nodes: TestApp[], tolerated: number): Promise<void> {
  const [first] = nodes
  assert.ok(first)
  await until(() => nodes.every((node) => node.app.parts.nodes.count() === nodes.length))
  const [one, other, wide] = [await first.merchant(), await first.merchant(), await first.merchant()]
  const sameSpace = await Promise.all([1, 2, 3, 4, 5, 6].map(() => first.merchant({ sameSpaceAs: wide })))
  const floods: [limit: string, perSecond: number, Request[]][] = [
    ['endpoint-limit', limits.ENDPOINT_LIMIT_TEST, requestsOf([one], ['payments'])],
    ['token-limit', limits.TOKEN_LIMIT_TEST, requestsOf([other], lists)],
    ['space-limit', limits.SPACE_LIMIT_TEST, requestsOf([wide, ...sameSpace], lists)],
    ['failed-authentication-limit', failedAuthentications, [{ path: '/v1/payments', token: 'malformed' }]],
  ]
  const counts = await Promise.all(floods.map((one) => flood(nodes, ...one)))
  // One request more or less depends on the moment at which the flood ends.
  for (const { name, allowed, most, fewest, recounted } of counts)
    assert.ok(
      allowed <= most * (1 + tolerated) + 3 + recounted && allowed >= fewest * (1 - tolerated) - 3,
      `${name}: ${allowed} instead of ${fewest} to ${most}`,
    )
}

describe('three nodes enforce the limits of one', { concurrency: true }, () => {
  test('with leases, within 10 %', async () => {
    const nodes = await startNodes({})
    await assertShared(nodes, 0.1)
    await closeNodes(nodes)
  })

  let redis: RedisServer
  before(async () => {
    if (!skipWithoutRedis) redis = await startRedis()
  })
  after(async () => redis?.close())
  test('with Redis, within 2 %', { skip: skipWithoutRedis }, async () => {
    const nodes = await startNodes({ REDIS_URL: redis.url })
    await assertShared(nodes, 0.02)
    await closeNodes(nodes)
  })
})

test('the nodes that run jobs share the pace of calls to rails, also when one of them stops', async () => {
  const nodes = await startNodes({})
  const sharesOf = (running: TestApp[], total: number) =>
    running.map((node) => node.app.parts.nodes.shareOf(total)).toSorted((a, b) => a - b)
  await until(() => nodes.every((node) => node.app.parts.nodes.count() === 3))
  await until(() => String(sharesOf(nodes, 50)) === '16,17,17')
  assert.deepEqual(sharesOf(nodes, 2), [0, 1, 1])
  const [first, second, third] = nodes as [TestApp, TestApp, TestApp]
  await third.close()
  await until(() => String(sharesOf([first, second], 50)) === '25,25')
  await closeNodes([first, second])
})
