import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { chooseRoads } from './choice.ts'
import type { Connector } from './connector.ts'
import type { Road } from './connectors.ts'
import type { RailKind, RoadLane } from './lane.ts'
import type { Pause } from './pauses.ts'

const references = Array.from({ length: 2_000 }, (_, i) => createHash('sha256').update(`${i}`).digest('hex'))

const road = (connection: string, more: Partial<Road> = {}): Road => ({
  connection,
  connector: { disburse() {}, refund() {} } as unknown as Connector,
  isOpen: true,
  share: undefined,
  ...more,
})

function choose(
  roads: Road[],
  { resting = [] as string[], paused = [] as string[], kind = 'collect' as RailKind, calls = {} } = {},
) {
  const roomOf = ({ connection }: RoadLane) => {
    const isResting = resting.includes(connection)
    return {
      isResting,
      calls: isResting ? 0 : ((calls as Record<string, number>)[connection] ?? 10),
      waitMs: 50,
    }
  }
  const pauses = { of: ({ connection }: RoadLane) => (paused.includes(connection) ? pause : undefined) }
  const parts = { connectors: { roadsOf: () => roads }, traffic: { roomOf }, pauses }
  return chooseRoads(parts, { kind, environment: 'live', providerId: 'm17' })
}

const pause: Pause = {
  environment: 'live',
  connection: 'a',
  providerId: null,
  direction: 'collect',
  words: 'Back at noon.',
  pausedBy: 'Aminata',
  pausedAt: new Date(0),
  endsAt: null,
  endsInMs: null,
}

const among = (roads: Road[], options?: Parameters<typeof choose>[1]) => {
  const { connectionFor } = choose(roads, options)
  return references.map((reference) => connectionFor({ reference, connection: null }))
}

test('the first connection in the file takes everything new, unless there are shares', () => {
  assert.deepEqual(new Set(among([road('a'), road('b')])), new Set(['a']))
  assert.deepEqual(new Set(among([road('b'), road('a')])), new Set(['b']))
})

test('a share of 5 % takes 5 % of what is new, always the same references', () => {
  const roads = [road('a'), road('b', { share: 5 })]
  const once = among(roads)
  const taken = once.filter((connection) => connection === 'b').length
  assert.ok(taken > 70 && taken < 130, `${taken} of 2 000`)
  assert.deepEqual(among(roads), once)
  assert.deepEqual(among(roads.toReversed()), once, 'in any order')
})

test('a larger share takes everything that a smaller one took, and more', () => {
  const [few, many] = [5, 50].map((share) => among([road('a'), road('b', { share })]))
  for (const [i, connection] of few!.entries()) if (connection === 'b') assert.equal(many![i], 'b')
})

test('while a breaker is open, the next usable connection takes over', () => {
  const roads = [road('a'), road('b', { share: 5 }), road('c')]
  assert.deepEqual(new Set(among(roads, { resting: ['a'] })), new Set(['b']))
  assert.deepEqual(new Set(among(roads, { resting: ['b'] })), new Set(['a']))
  const { takesNew, calls } = choose(roads, { resting: ['a', 'b', 'c'] })
  assert.deepEqual([takesNew, calls], [false, 0])
})

test('while a connection is paused, the next takes over; if there is none, the operator’s message applies', () => {
  const roads = [road('a'), road('b', { share: 5 })]
  assert.deepEqual(new Set(among(roads, { paused: ['a'] })), new Set(['b']))
  assert.equal(choose(roads, { paused: ['a'] }).words, undefined)
  const { takesNew, words } = choose(roads, { paused: ['a', 'b'] })
  assert.deepEqual([takesNew, words], [false, 'Back at noon.'])
  assert.equal(
    choose(roads, { paused: ['a'], resting: ['b'] }).words,
    undefined,
    'the other may respond again',
  )
})

test('waits for a connection that is full', () => {
  const { calls, waitMs } = choose([road('a'), road('b', { share: 5 })], { calls: { b: 0 } })
  assert.deepEqual([calls, waitMs], [0, 50])
})

test('a closed connection collects nothing and refunds what it collected', () => {
  const roads = [road('a', { isOpen: false }), road('b')]
  assert.deepEqual(new Set(among(roads)), new Set(['b']))
  const refunds = choose(roads, { kind: 'refund' })
  assert.equal(refunds.connectionFor({ reference: 'ff', connection: 'a' }), 'a')
})

test('an instruction assigned to a connection waits for that one only', () => {
  const { connectionFor, unusable, takesNew } = choose([road('a'), road('b')], {
    kind: 'refund',
    resting: ['a'],
  })
  assert.equal(connectionFor({ reference: 'ff', connection: 'a' }), undefined)
  assert.equal(connectionFor({ reference: 'ff', connection: 'b' }), 'b')
  assert.deepEqual([unusable, takesNew], [['a'], true])
})

test('uses only connections that support the operation', () => {
  const roads = [road('a', { connector: {} as Connector }), road('b')]
  assert.deepEqual(new Set(among(roads, { kind: 'disburse' })), new Set(['b']))
})
