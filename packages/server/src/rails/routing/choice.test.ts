import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { ConnectionQueue, Connector, RailKind } from '@pesewa/connector-kit'
import type { ProviderRoute } from '../connections/connectors.ts'
import { chooseRoutes } from './choice.ts'
import type { Pause } from './store.ts'

const references = Array.from({ length: 2_000 }, (_, i) => createHash('sha256').update(`${i}`).digest('hex'))

const route = (connection: string, more: Partial<ProviderRoute> = {}): ProviderRoute => ({
  connection,
  connector: { disburse() {}, refund() {} } as unknown as Connector,
  isOpen: true,
  share: undefined,
  ...more,
})

function choose(
  routes: ProviderRoute[],
  { resting = [] as string[], paused = [] as string[], kind = 'collect' as RailKind, calls = {} } = {},
) {
  const roomOf = ({ connection }: ConnectionQueue) => {
    const isBreakerOpen = resting.includes(connection)
    return {
      isBreakerOpen,
      calls: isBreakerOpen ? 0 : ((calls as Record<string, number>)[connection] ?? 10),
      waitMs: 50,
    }
  }
  const pauses = {
    find: ({ connection }: ConnectionQueue) => (paused.includes(connection) ? pause : undefined),
  }
  const parts = { connectors: { findRoutes: () => routes }, traffic: { roomOf }, pauses }
  return chooseRoutes(parts, { kind, environment: 'live', providerId: 'm17' })
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

const among = (routes: ProviderRoute[], options?: Parameters<typeof choose>[1]) => {
  const { connectionFor } = choose(routes, options)
  return references.map((reference) => connectionFor({ reference, connection: null }))
}

test('the first connection in the file takes all new instructions, unless there are shares', () => {
  assert.deepEqual(new Set(among([route('a'), route('b')])), new Set(['a']))
  assert.deepEqual(new Set(among([route('b'), route('a')])), new Set(['b']))
})

test('a share of 5 % takes 5 % of new instructions, and always the same ones', () => {
  const routes = [route('a'), route('b', { share: 5 })]
  const once = among(routes)
  const countOfB = once.filter((connection) => connection === 'b').length
  assert.ok(countOfB > 70 && countOfB < 130, `${countOfB} of 2 000`)
  assert.deepEqual(among(routes), once)
  assert.deepEqual(among(routes.toReversed()), once, 'in any order')
})

test('a larger share takes everything that a smaller one took, and more', () => {
  const [few, many] = [5, 50].map((share) => among([route('a'), route('b', { share })]))
  for (const [i, connection] of few!.entries()) if (connection === 'b') assert.equal(many![i], 'b')
})

test('while a breaker is open, the next usable connection takes over', () => {
  const routes = [route('a'), route('b', { share: 5 }), route('c')]
  assert.deepEqual(new Set(among(routes, { resting: ['a'] })), new Set(['b']))
  assert.deepEqual(new Set(among(routes, { resting: ['b'] })), new Set(['a']))
  const { acceptsNew, calls } = choose(routes, { resting: ['a', 'b', 'c'] })
  assert.deepEqual([acceptsNew, calls], [false, 0])
})

test('while a connection is paused, the next one takes over; if there is none, the operator’s message applies', () => {
  const routes = [route('a'), route('b', { share: 5 })]
  assert.deepEqual(new Set(among(routes, { paused: ['a'] })), new Set(['b']))
  assert.equal(choose(routes, { paused: ['a'] }).pauseMessage, undefined)
  const { acceptsNew, pauseMessage } = choose(routes, { paused: ['a', 'b'] })
  assert.deepEqual([acceptsNew, pauseMessage], [false, 'Back at noon.'])
  assert.equal(
    choose(routes, { paused: ['a'], resting: ['b'] }).pauseMessage,
    undefined,
    'the other connection may respond again',
  )
})

test('an instruction waits for a connection that is full', () => {
  const { calls, waitMs } = choose([route('a'), route('b', { share: 5 })], { calls: { b: 0 } })
  assert.deepEqual([calls, waitMs], [0, 50])
})

test('a closed connection collects nothing, and refunds what it collected earlier', () => {
  const routes = [route('a', { isOpen: false }), route('b')]
  assert.deepEqual(new Set(among(routes)), new Set(['b']))
  const refunds = choose(routes, { kind: 'refund' })
  assert.equal(refunds.connectionFor({ reference: 'ff', connection: 'a' }), 'a')
})

test('an instruction assigned to a connection waits only for that connection', () => {
  const { connectionFor, unusable, acceptsNew } = choose([route('a'), route('b')], {
    kind: 'refund',
    resting: ['a'],
  })
  assert.equal(connectionFor({ reference: 'ff', connection: 'a' }), undefined)
  assert.equal(connectionFor({ reference: 'ff', connection: 'b' }), 'b')
  assert.deepEqual([unusable, acceptsNew], [['a'], true])
})

test('only connections that support the operation are used', () => {
  const routes = [route('a', { connector: {} as Connector }), route('b')]
  assert.deepEqual(new Set(among(routes, { kind: 'disburse' })), new Set(['b']))
})
