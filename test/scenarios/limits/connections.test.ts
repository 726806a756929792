import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { startTestApp, type TestApp, until } from '../../support/harness.ts'

const t = await startTestApp({
  work: false,
  settings: { CONNECTIONS_PER_ADDRESS: '5' },
  app: {
    timeouts: {
      headersTimeoutMs: 300,
      requestTimeoutMs: 600,
      stuckTimeoutMs: 1_000,
      stalledExportMs: 1_000,
      lingerMs: 100,
      checkEveryMs: 50,
    },
  },
})
const proxied = await startTestApp({
  work: false,
  settings: { CONNECTIONS_PER_ADDRESS: '5', TRUSTED_PROXIES: '127.0.0.1' },
})
after(async () => {
  await t.close()
  await proxied.close()
})

/** Opens a connection and waits until the service has accepted it. */
async function open({ baseUrl, app }: TestApp): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const accepted = once(app.server.server, 'connection')
  // Keeps its own side open as long as possible.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => {})
  await Promise.all([once(socket, 'connect'), accepted])
  return socket
}

const openConnections = ({ app }: TestApp) =>
  new Promise<number>((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
const untilOpen = (app: TestApp, count: number) => until(async () => (await openConnections(app)) === count)

const large = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'

describe('a connection is closed', () => {
  for (const [what, sent] of Object.entries({
    'that never sends anything': '',
    'that stops within a request line': 'GET /v1/pay',
    'that stops within its headers': 'GET / HTTP/1.1\r\nHost: a\r\nX-',
    'that stops within its body':
      'POST /simulator/handsets/state HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
  }))
    test(`${what}, and the client cannot hold it open`, async () => {
      const socket = await open(t)
      socket.pause().write(sent)
      await untilOpen(t, 0)
      socket.destroy()
    })

  test('whose responses are never read', async () => {
    const sockets = await Promise.all(Array.from({ length: 3 }, () => open(t)))
    for (const socket of sockets) socket.pause().write(large.repeat(200))
    await untilOpen(t, 0)
    for (const socket of sockets) socket.destroy()
  })
})

describe('a connection is kept', () => {
  test('whose responses are read slowly, and one that streams events', async () => {
    const { token, spaceId } = await t.merchant()
    const headers = { authorization: `Bearer ${token}`, 'service-space-id': spaceId }
    const stream = await fetch(`${t.baseUrl}/v1/events/stream`, { headers })
    const events = stream.body!.getReader()
    assert.equal(Buffer.from((await events.read()).value!).toString(), ': open\n\n')
    const next = events.read().then(() => 'over')
    const socket = await open(t)
    // Finishes before the stream sends its keep-alive comment.
    const requests = 25
    socket.write(large.repeat(requests))
    let tail = Buffer.alloc(0)
    let answers = 0
    const startedAt = performance.now()
    while (answers < requests) {
      await once(socket, 'readable')
      const piece = socket.read() as Buffer | null
      if (piece === null) continue
      const text = Buffer.concat([tail, piece])
      answers += text.toString('latin1').split('HTTP/1.1 200 OK').length - 1
      tail = text.subarray(-14)
      // A client that reads two megabytes a second.
      const dueMs = (socket.bytesRead / 2_000_000) * 1000 - (performance.now() - startedAt)
      if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs))
    }
    assert.equal(answers, requests)
    assert.equal(await Promise.race([next, 'open']), 'open')
    await events.cancel()
    socket.destroy()
    await untilOpen(t, 0)
  })
})

describe('the connections of one address', () => {
  /** Sends a request on the connection and returns whether it is answered. */
  const isServed = async (socket: Socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    const [data] = (await Promise.race([
      once(socket, 'data'),
      once(socket, 'end'),
      once(socket, 'close'),
    ])) as [Buffer?]
    return data?.toString().startsWith('HTTP/1.1 200') ?? false
  }

  test('are limited, and closing one makes room for another', async () => {
    await untilOpen(t, 0)
    const sockets: Socket[] = []
    const served: boolean[] = []
    for (let i = 0; i < 7; i++) {
      sockets.push(await open(t))
      served.push(await isServed(sockets[i]!))
    }
    assert.deepEqual(served, [true, true, true, true, true, false, false])
    const { values } = await t.app.parts.metrics.refusedConnections.get()
    assert.equal(values[0]?.value, 2)
    sockets[0]!.destroy()
    await untilOpen(t, 4)
    const another = await open(t)
    assert.equal(await isServed(another), true)
    for (const socket of [...sockets, another]) socket.destroy()
  })

  test('do not count if they come from a trusted proxy', async () => {
    const sockets = await Promise.all(Array.from({ length: 12 }, () => open(proxied)))
    assert.deepEqual(await Promise.all(sockets.map(isServed)), Array(12).fill(true))
    for (const socket of sockets) socket.destroy()
  })
})
