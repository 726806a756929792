import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createConnection, createServer, type Socket } from 'node:net'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import {
  InvalidRequestError,
  PermissionError,
  Pesewa,
  type WebhookEvent,
} from '../../../packages/sdk/src/index.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'

const t = await startTestApp()
after(() => t.close())
let merchant: Merchant
let pesewa: Pesewa
/** The number of stream connections that the client has made so far. */
let connections = 0

/** Starts a proxy between the client and the service that can fail. */
const sockets = new Set<Socket>()
let isCut = false
let target = t.baseUrl
const line = createServer((client) => {
  if (isCut) return void client.destroy()
  const service = createConnection(Number(new URL(target).port), '127.0.0.1')
  for (const [socket, other] of [
    [client, service],
    [service, client],
  ] as const) {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
    socket.pipe(other)
  }
}).listen(0, '127.0.0.1')
await once(line, 'listening')
after(() => {
  cut()
  line.close()
})
const { port } = line.address() as { port: number }

function cut(): void {
  isCut = true
  for (const socket of sockets) socket.destroy()
}

beforeEach(async () => {
  isCut = false
  target = t.baseUrl
  connections = 0
  stop = new AbortController()
  merchant = await t.merchant()
  pesewa = new Pesewa({
    ...{ token: merchant.token, space: merchant.spaceId, baseUrl: `http://127.0.0.1:${port}` },
    onResponse: ({ path, status }) => {
      if (path.endsWith('/stream') && status === 200) connections++
    },
  })
})

let stop: AbortController
afterEach(() => stop.abort())

/** Collects the stream in a list until the test ends or stops it. */
function follow() {
  const seen: WebhookEvent[] = []
  const ended = (async () => {
    for await (const event of pesewa.events.stream({ signal: stop.signal })) seen.push(event)
  })()
  return { seen, ended }
}

const create = (name: string) =>
  merchant.call('POST', '/v1/checkout-sessions', {
    name,
    lineItems: [{ name, price: { currency: 'SLE', value: 100 } }],
  })

const listed = (count: number) =>
  until(async () => (await pesewa.events.list().page()).items.length === count)
const nameOf = (event: WebhookEvent) => (event.type === 'checkout_session.created' ? event.data.name : '')

describe('the event stream', () => {
  test('starts with the next event, and ends without an error', async () => {
    await create('before')
    await listed(1)
    const { seen, ended } = follow()
    await until(async () => connections === 1)
    await create('one')
    await until(async () => seen.length === 1)
    assert.deepEqual(seen.map(nameOf), ['one'])
    assert.deepEqual(seen[0], (await pesewa.events.list().page()).items[0])
    stop.abort()
    await ended
  })

  test('reconnects after a lost connection without missing an event', async () => {
    await create('before')
    await listed(1)
    const { seen, ended } = follow()
    await until(async () => connections === 1)
    await create('one')
    await until(async () => seen.length === 1)
    cut()
    await create('two')
    await create('three')
    isCut = false
    await until(async () => seen.length === 3)
    await create('four')
    await until(async () => seen.length === 4)
    assert.deepEqual(seen.map(nameOf), ['one', 'two', 'three', 'four'])
    assert.equal(connections, 2)
    stop.abort()
    await ended
  })

  test('continues on another node when its node shuts down, without missing an event', async () => {
    const stopping = await startTestApp({ anotherNodeOf: t, work: false })
    target = stopping.baseUrl
    const { seen, ended } = follow()
    await until(async () => connections === 1)
    await create('one')
    await until(async () => seen.length === 1)
    target = t.baseUrl
    await create('two')
    await stopping.close()
    await create('three')
    await until(async () => seen.length === 3)
    assert.deepEqual(seen.map(nameOf), ['one', 'two', 'three'])
    assert.equal(connections, 2)
    stop.abort()
    await ended
  })

  test('reconnects after the time that the service asks for', async (test) => {
    const asked: (string | undefined)[] = []
    const service = createHttpServer(({ headers }, response) => {
      asked.push(headers['last-event-id']?.toString())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked.length === 1) response.end(': open\n\nid: evt-1\ndata: {"id":"evt-1"}\n\n: bye\nretry: 7\n\n')
      else response.write(': open\n\n')
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    // Safe: the server listens on a port.
    const { port } = service.address() as { port: number }
    const timers = test.mock.method(globalThis, 'setTimeout')
    const other = new Pesewa({ token: 't', space: 's', baseUrl: `http://127.0.0.1:${port}` })
    const rows = other.events.stream({ signal: stop.signal, after: 'evt-0' })[Symbol.asyncIterator]()
    assert.equal((await rows.next()).value?.id, 'evt-1')
    const following = rows.next()
    await until(async () => asked.length === 2)
    assert.deepEqual(asked, ['evt-0', 'evt-1'])
    assert.ok(timers.mock.calls.some(({ arguments: [, ms] }) => ms === 7))
    stop.abort()
    await following
    service.close()
  })

  test('misses nothing even if the first event of a Space happens during an outage', async () => {
    const { seen, ended } = follow()
    await until(async () => connections === 1)
    cut()
    await create('one')
    await create('two')
    isCut = false
    await until(async () => seen.length === 2)
    await create('three')
    await until(async () => seen.length === 3)
    assert.deepEqual(seen.map(nameOf), ['one', 'two', 'three'])
    stop.abort()
    await ended
  })

  test('resumes after the last handled event, and ends with the loop', async () => {
    await create('one')
    await create('two')
    await listed(2)
    const [, first] = (await pesewa.events.list().page()).items
    // The service allows twenty streams at once, so abandoned ones must have been closed.
    for (let i = 0; i < 22; i++)
      for await (const event of pesewa.events.stream({ after: first?.id, maxRetries: 0 })) {
        assert.equal(nameOf(event), 'two')
        break
      }
    assert.equal(connections, 22)
  })

  test('refuses an unknown position, and callers who cannot read events', async () => {
    const begin = (options: object) => pesewa.events.stream(options)[Symbol.asyncIterator]().next()
    await assert.rejects(begin({ after: 'evt-01kaj3v5w8e4r9tbn2m6c7d0xz' }), InvalidRequestError)
    const { token, spaceId } = await t.merchant({ scopes: ['payments:read'] })
    const other = new Pesewa({ token, space: spaceId, baseUrl: t.baseUrl })
    await assert.rejects(other.events.stream()[Symbol.asyncIterator]().next(), PermissionError)
    cut()
    await assert.rejects(begin({ maxRetries: 0 }), { name: 'ConnectionError' })
    await assert.rejects(begin({ maxRetries: 0, after: 'evt-1' }), { name: 'ConnectionError' })
  })

  test('does not start if already aborted', async () => {
    const { seen, ended } = follow()
    stop.abort()
    await ended
    assert.deepEqual(seen, [])
  })
})
