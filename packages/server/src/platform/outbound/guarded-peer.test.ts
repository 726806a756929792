import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { isIPv6, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, test } from 'node:test'
import tls from 'node:tls'
import { NoAnswer, send } from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { createCertificate } from '../../../../../test/support/certificate.ts'
import { answerOk, type Behaviour, listen, type Receiver } from '../../../../../test/support/receiver.ts'
import { createGuardedPeer, type Lookup } from './guarded-peer.ts'

type PeerOptions = Parameters<typeof createGuardedPeer>[0]

const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)
const trusted = createCertificate('shop.example')
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert])

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

describe('a name', () => {
  let forbidden: Receiver
  beforeEach(async () => {
    forbidden = await start()
  })

  const refused: [string, string[]][] = [
    ['at a loopback address', ['127.0.0.1']],
    ['at an IPv6 loopback address', ['::1']],
    ['at a mapped loopback address', ['::ffff:127.0.0.1']],
    ['at a mapped loopback address in hexadecimal', ['::ffff:7f00:1']],
    ['at a loopback address in an old notation of getaddrinfo', ['::127.0.0.1']],
    ['at a loopback address with a zone', ['::1%lo']],
    ['at a public address and a private one', ['8.8.8.8', '127.0.0.1']],
    ['at a private address and a public one', ['127.0.0.1', '8.8.8.8']],
    ['at an allowed address and a refused one', ['127.0.0.2', '127.0.0.1']],
    ['at an allowed address and a refused IPv6 address', ['127.0.0.2', '::1']],
    ['at a cloud’s metadata service', ['169.254.169.254']],
    ['at an address that is translated to loopback', ['64:ff9b::7f00:1']],
    ['at something that is not an IP address', ['localhost']],
  ]
  for (const [what, addresses] of refused)
    test(`pointing ${what} is not dialled`, async () => {
      const allowed = await start(answerOk, { host: '127.0.0.2', port: forbidden.port })
      const peer = open({ allowedNetworks: ['127.0.0.2/32'], lookup: pointingAt(addresses) })
      await assertNoAnswer(get(peer, `http://trick.example:${forbidden.port}/`), 'address not allowed')
      assert.deepEqual([forbidden.connections, allowed.connections], [0, 0])
    })

  test('pointing at a public address is not dialled on a mail port', async () => {
    const peer = open({ lookup: pointingAt(['8.8.8.8']) })
    await assertNoAnswer(get(peer, 'http://mail.example:25/'), 'address not allowed')
  })

  test('is looked up once for each connection, and the next connection uses its new address', async () => {
    const allowed = await start(answerOk, { host: '127.0.0.2', port: forbidden.port })
    const turns = ['127.0.0.2', '127.0.0.1']
    const peer = open({
      allowedNetworks: ['127.0.0.2/32'],
      maxConnections: 1,
      lookup: (_name, _options, done) => done(null, addressesOf([turns.shift()!])),
    })
    const url = `http://rebinding.example:${forbidden.port}/`
    // Both requests use one connection, even if the name points elsewhere in between.
    for (const _ of [1, 2, 3]) assert.equal((await get(peer, url)).status, 200)
    assert.deepEqual(turns, ['127.0.0.1'])
    const left = new Promise((resolve) => peer.once('disconnect', resolve))
    for (const socket of allowed.open) socket.end()
    await left
    await assertNoAnswer(get(peer, url), 'address not allowed')
    assert.deepEqual([allowed.connections, forbidden.connections], [1, 0])
  })

  test('pointing at nothing is not dialled', async () => {
    const peer = open({ lookup: pointingAt([]) })
    await assertNoAnswer(get(peer, 'http://nothing.example/'), 'no response')
  })

  test('that does not exist is reported', async () => {
    const lookup: Lookup = (_name, _options, done) =>
      done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), [])
    await assertNoAnswer(get(open({ lookup }), 'http://nowhere.example/'), 'host name not found')
  })

  test('whose look-up never ends does not outlast the timeout', async () => {
    const peer = open({ lookup: () => {} })
    await assertNoAnswer(get(peer, 'http://slow.example/', 200), 'timed out')
  })
})

test('a redirect is a response, and is not followed', async () => {
  const forbidden = await start()
  const location = `http://127.0.0.1:${forbidden.port}/`
  const redirector = await start(
    (socket) => socket.end(`HTTP/1.1 307 Onward\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
    { host: '127.0.0.2' },
  )
  const peer = open({ allowedNetworks: ['127.0.0.2/32'] })
  const { status } = await get(peer, `http://127.0.0.2:${redirector.port}/`)
  assert.deepEqual([status, redirector.connections, forbidden.connections], [307, 1, 0])
  await assertNoAnswer(get(peer, location), 'address not allowed')
})

describe('an allowed destination', () => {
  test('is reached by address and by name, with the Host of the URL', async () => {
    const receiver = await start()
    const { port } = receiver
    const peer = open({ allowedNetworks: ['127.0.0.1/32'], lookup: pointingAt(['127.0.0.1']) })
    for (const host of [`127.0.0.1:${port}`, `shop.example:${port}`, `shop.example.:${port}`]) {
      assert.deepEqual(await get(peer, `http://${host}/hook`), {
        status: 200,
        body: 'ok',
        retryAfter: undefined,
      })
      assert.match(receiver.heads.pop()!, new RegExp(`^GET /hook HTTP/1.1\r\nhost: ${host}\r\n`))
    }
  })

  test('is reached over IPv6', { skip: !hasIPv6 }, async () => {
    const receiver = await start(answerOk, { host: '::1' })
    const peer = open({ allowedNetworks: ['::1/128'], lookup: pointingAt(['::1']) })
    for (const host of [`[::1]:${receiver.port}`, `shop.example:${receiver.port}`]) {
      assert.equal((await get(peer, `http://${host}/`)).status, 200)
      assert.ok(receiver.heads.pop()!.includes(`\r\nhost: ${host}\r\n`))
    }
  })

  test('is reached at the next address if the first does not listen', { skip: !hasIPv6 }, async () => {
    const receiver = await start()
    const peer = open({
      allowedNetworks: ['::1/128', '127.0.0.1/32'],
      lookup: pointingAt(['::1', '127.0.0.1']),
    })
    assert.equal((await get(peer, `http://shop.example:${receiver.port}/`)).status, 200)
  })

  test('that does not listen is reported', async () => {
    const { port, close } = await start()
    await close()
    closers.pop()
    const peer = open({ allowedNetworks: ['127.0.0.0/8'], lookup: pointingAt(['127.0.0.1', '127.0.0.2']) })
    await assertNoAnswer(get(peer, `http://shop.example:${port}/`), 'connection refused')
    await assertNoAnswer(get(peer, `http://127.0.0.1:${port}/`), 'connection refused')
  })
})

describe('a certificate', () => {
  const startTls = async (certificate: { cert: string; key: string }) => {
    const names: string[] = []
    const server = tls.createServer({
      ...certificate,
      SNICallback: (name, done) => {
        names.push(name)
        done(null, undefined)
      },
    })
    return { names, ...(await start(answerOk, { server })) }
  }
  const peer = () => open({ allowedNetworks: ['127.0.0.1/32'], lookup: pointingAt(['127.0.0.1']) })

  test('must be trusted', async () => {
    const { port } = await startTls(createCertificate('stranger.example'))
    await assertNoAnswer(get(peer(), `https://stranger.example:${port}/`), 'invalid certificate')
  })

  test('must match the host name of the URL, which is also requested by SNI', async () => {
    const { port, names, heads } = await startTls(trusted)
    assert.equal((await get(peer(), `https://shop.example:${port}/`)).status, 200)
    assert.ok(heads[0]!.includes(`\r\nhost: shop.example:${port}\r\n`))
    for (const host of ['other.example', '127.0.0.1'])
      await assertNoAnswer(get(peer(), `https://${host}:${port}/`), 'invalid certificate')
    assert.deepEqual(names, ['shop.example', 'other.example'])
    assert.equal(heads.length, 1)
  })

  test('that never comes, because the server does not speak TLS, is an error', async () => {
    const { port } = await start((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await assertNoAnswer(get(peer(), `https://shop.example:${port}/`, 1_000), 'no response', 'timed out')
  })
})

describe('bounds', () => {
  test('an origin has at most its number of connections', async () => {
    let most = 0
    const receiver = await start((socket) => {
      most = Math.max(most, receiver.open.size)
      setImmediate(() => answerOk(socket))
    })
    const peer = open({ allowedNetworks: ['127.0.0.1/32'], maxConnections: 3 })
    const url = `http://127.0.0.1:${receiver.port}/`
    await Promise.all(Array.from({ length: 20 }, () => get(peer, url)))
    assert.equal(most, 3)
  })

  test('a request waiting for a connection times out, and is never sent', async () => {
    const receiver = await start(() => {})
    const peer = open({ allowedNetworks: ['127.0.0.1/32'], maxConnections: 1 })
    const url = `http://127.0.0.1:${receiver.port}/`
    const held = assertNoAnswer(get(peer, url, 60_000), 'connection reset')
    await assertNoAnswer(get(peer, `${url}late`, 200), 'timed out')
    for (const socket of receiver.open) socket.destroy()
    await held
    await assertNoAnswer(get(peer, `${url}last`, 200), 'timed out')
    assert.deepEqual(
      receiver.heads.map((head) => head.split(' ')[1]),
      ['/', '/last'],
    )
  })

  test('origins beyond the limit get no connection until one is free', async () => {
    const receivers = await Promise.all([start(), start(), start()])
    const [first, second, third] = receivers.map(({ port }) => `http://127.0.0.1:${port}/`)
    const peer = open({ allowedNetworks: ['127.0.0.1/32'], maxOrigins: 2 })
    await get(peer, first!)
    await get(peer, second!)
    await assertNoAnswer(get(peer, third!), 'no response')
    const left = new Promise((resolve) => peer.once('disconnect', resolve))
    for (const socket of receivers[0]!.open) socket.end()
    await left
    assert.equal((await get(peer, third!)).status, 200)
  })

  const floods: [string, string, string][] = [
    ['a status line', 'HTTP/1.1 200 ', 'x'],
    ['empty lines', '', '\r\n'],
    ['informational responses', '', 'HTTP/1.1 103 Early\r\na: b\r\n\r\n'],
  ]
  for (const [what, begin, more] of floods)
    test(`endless ${what} are cut off`, async () => {
      await assertCutOff(begin, more, (sent) => assertNoAnswer(sent, 'response too large'))
    })

  test('endless chunk extensions are cut off, and the status counts', async () => {
    const begin = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;'
    await assertCutOff(begin, 'x', async (sent) =>
      assert.deepEqual(await sent, { status: 200, body: '', retryAfter: undefined }),
    )
  })

  test('a connection is not closed because of the total size of many responses', async () => {
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n${'x'.repeat(60_000)}`
    const receiver = await start((socket) => socket.write(answer))
    const peer = open({ allowedNetworks: ['127.0.0.1/32'], maxConnections: 1 })
    for (let i = 0; i < 40; i++) await get(peer, `http://127.0.0.1:${receiver.port}/`)
    assert.equal(receiver.connections, 1)
  })

  test('also apply inside TLS', async () => {
    const server = tls.createServer(trusted)
    const receiver = await start((socket) => floodWith(socket, 'HTTP/1.1 103 Early\r\n\r\n', () => {}), {
      server,
    })
    const peer = open({ allowedNetworks: ['127.0.0.1/32'], lookup: pointingAt(['127.0.0.1']) })
    await assertNoAnswer(get(peer, `https://shop.example:${receiver.port}/`, 60_000), 'response too large')
  })

  async function assertCutOff(begin: string, more: string, assertOutcome: (sent: Sent) => Promise<void>) {
    const block = more.repeat(64 * 1024)
    let given = 0
    const receiver = await start((socket) => {
      socket.write(begin)
      floodWith(socket, block, (bytes) => {
        given += bytes
      })
    })
    const peer = open({ allowedNetworks: ['127.0.0.1/32'] })
    await assertOutcome(get(peer, `http://127.0.0.1:${receiver.port}/`, 60_000))
    assert.ok(given < 16 * 1024 * 1024, `${given} bytes`)
  }
})

type Sent = ReturnType<typeof get>

function get(peer: Agent, url: string, timeoutMs = 5_000) {
  return send(peer, { method: 'GET', url, timeoutMs, answerBytes: 1024 })
}

async function assertNoAnswer(sent: Sent, ...messages: string[]): Promise<void> {
  await assert.rejects(sent, (error) => {
    assert.ok(error instanceof NoAnswer)
    assert.ok(messages.includes(error.message), error.message)
    return true
  })
}

function open(options: Partial<PeerOptions>): Agent {
  const peer = createGuardedPeer({
    allowedNetworks: [],
    maxConnections: 10,
    lookup: pointingAt([]),
    ...options,
  })
  closers.push(() => peer.destroy())
  return peer
}

async function start(behave?: Behaviour, place?: Parameters<typeof listen>[1]): Promise<Receiver> {
  const receiver = await listen(behave, place)
  closers.push(() => receiver.close())
  return receiver
}

function pointingAt(addresses: string[]): Lookup {
  return (_name, _options, done) => done(null, addressesOf(addresses))
}

const addressesOf = (addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))

/** Writes as long as data is accepted, and reports each piece. */
function floodWith(socket: Socket, block: string, tell: (bytes: number) => void): void {
  const write = () => {
    if (!socket.destroyed) socket.write(block, () => tell(block.length) ?? write())
  }
  write()
}
