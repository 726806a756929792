import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConnectionQueue, SubmitOutcome } from '@pesewa/connector-kit'
import type { ProviderConnection } from '../connections/connections.ts'
import { openTraffic, type Traffic } from './traffic.ts'

const accepted: SubmitOutcome = { outcome: 'accepted' }
const refused: SubmitOutcome = { outcome: 'refused', code: 'rejected', message: 'No.' }
const unknown: SubmitOutcome = { outcome: 'unknown', why: '500' }

/** Creates traffic with its own clock, and a provider with the given live connection. */
function open(connection?: Partial<ProviderConnection>) {
  let now = 0
  const live =
    connection &&
    ({ name: 'first', protocol: 'rest', baseUrl: '', key: '', ...connection } as ProviderConnection)
  const traffic = openTraffic({ connectionsOf: () => (live ? [live] : []) }, { nowMs: () => now })
  return { traffic, pass: (ms: number) => void (now += ms) }
}

const laneOf = (providerId: string, connection = 'first'): ConnectionQueue => ({
  kind: 'disburse',
  environment: 'live',
  providerId,
  connection,
})

function begin(traffic: Traffic, providerId = 'slb001') {
  const { calls, waitMs } = traffic.roomOf(laneOf(providerId))
  assert(calls > 0, `has to wait ${waitMs} ms`)
  return { end: traffic.begin(laneOf(providerId)) }
}

const send = (traffic: Traffic, answer: SubmitOutcome) => begin(traffic).end(answer)
const wait = (traffic: Traffic, providerId = 'slb001') => traffic.roomOf(laneOf(providerId)).waitMs

function fail(traffic: Traffic, times: number) {
  for (let i = 0; i < times; i++) send(traffic, unknown)
}

describe('concurrently', () => {
  test('sixteen are sent, and another one whenever one has ended, with any outcome', () => {
    const { traffic } = open()
    const under = Array.from({ length: 16 }, () => begin(traffic))
    assert.ok(wait(traffic) > 0)
    under[0]?.end(accepted)
    under[0]?.end(accepted)
    under[1]?.end()
    const more = [begin(traffic), begin(traffic)]
    assert.ok(wait(traffic) > 0, 'ending twice counts once')
    for (const each of [...under, ...more]) each.end(refused)
    assert.equal(wait(traffic), 0)
  })

  test('the connection’s own limit applies', () => {
    const { traffic } = open({ maxAtOnce: 2 })
    begin(traffic)
    begin(traffic)
    assert.ok(wait(traffic) > 0)
  })

  test('fewer are sent while the connection accepts fewer', () => {
    const { traffic } = open()
    const first = begin(traffic)
    const room = (atMost: number) => traffic.roomOf(laneOf('slb001'), atMost)
    assert.deepEqual([room(1).calls, room(1).waitMs > 0, room(2).calls], [0, true, 1])
    begin(traffic)
    assert.equal(room(1).calls, 0)
    first.end(accepted)
    assert.equal(room(Number.POSITIVE_INFINITY).calls, 15)
  })
})

describe('per second', () => {
  test('at most fifty start in any second, and the others learn how long to wait', () => {
    const { traffic, pass } = open()
    pass(900)
    for (let i = 0; i < 49; i++) send(traffic, accepted)
    pass(200)
    send(traffic, accepted)
    assert.equal(wait(traffic), 800)
    pass(799)
    assert.equal(wait(traffic), 1)
    pass(1)
    for (let i = 0; i < 49; i++) send(traffic, accepted)
    assert.equal(wait(traffic), 200)
  })

  test('the connection’s own limit applies', () => {
    const { traffic, pass } = open({ maxPerSecond: 1 })
    send(traffic, accepted)
    assert.equal(wait(traffic), 1_000)
    pass(1_000)
    send(traffic, accepted)
  })
})

describe('a rail without clear responses', () => {
  test('is not called for 10 s after five unknown outcomes in a row', () => {
    const { traffic, pass } = open()
    fail(traffic, 4)
    send(traffic, refused)
    fail(traffic, 5)
    assert.equal(wait(traffic), 10_000)
    pass(9_999)
    assert.equal(wait(traffic), 1)
  })

  test('is then probed with single calls, less and less often, down to one every five minutes', () => {
    const { traffic, pass } = open()
    fail(traffic, 5)
    for (const restMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
      assert.equal(wait(traffic), restMs)
      pass(restMs)
      const probe = begin(traffic)
      assert.ok(wait(traffic) > 0, 'no other call during a probe')
      probe.end(unknown)
    }
  })

  test('is used again after one clear response, and starts with a clean slate', () => {
    const { traffic, pass } = open()
    fail(traffic, 5)
    pass(10_000)
    fail(traffic, 1)
    pass(20_000)
    send(traffic, refused)
    fail(traffic, 4)
    assert.equal(wait(traffic), 0)
    fail(traffic, 1)
    assert.equal(wait(traffic), 10_000)
  })

  test('is probed by the next call if a probe sent nothing', () => {
    const { traffic, pass } = open()
    fail(traffic, 5)
    pass(10_000)
    begin(traffic).end()
    send(traffic, accepted)
    assert.equal(wait(traffic), 0)
  })

  test('is not avoided for longer because of calls that were in flight when it went silent', () => {
    const { traffic, pass } = open()
    const late = [begin(traffic), begin(traffic)]
    fail(traffic, 5)
    pass(1_000)
    late[0]?.end(unknown)
    assert.equal(wait(traffic), 9_000)
    late[1]?.end(accepted)
    assert.equal(wait(traffic), 0, 'one clear answer is enough')
  })

  test('does not affect other providers or the other environment', () => {
    const { traffic } = open()
    fail(traffic, 5)
    assert.equal(wait(traffic, 'slb004'), 0)
    assert.equal(traffic.roomOf(laneOf('slb001', 'second')).waitMs, 0, 'nor other connections')
    assert.equal(traffic.roomOf({ ...laneOf('slb001'), environment: 'test' }).waitMs, 0)
  })
})

test('is avoided for only a second in test, where accounts cause unclear answers', () => {
  const { traffic, pass } = open()
  const queue: ConnectionQueue = { ...laneOf('m17'), environment: 'test' }
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < (round === 0 ? 5 : 1); i++) {
      assert(traffic.roomOf(queue).calls > 0)
      traffic.begin(queue)(unknown)
    }
    assert.equal(traffic.roomOf(queue).waitMs, 1_000)
    pass(1_000)
  }
})
