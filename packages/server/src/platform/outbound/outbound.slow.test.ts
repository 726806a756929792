import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, afterEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  createPeer,
  NoAnswer,
  NotSent,
  type OutboundAnswer,
  type OutboundRequest,
  send,
} from '@pesewa/connector-kit'
import { answerOk, type Behaviour, listen, type Receiver } from '../../../../../test/support/receiver.ts'
import { createGuardedPeer } from './guarded-peer.ts'

// Receivers are test servers that misbehave as needed. Requests that must end before their timeout get a
// minute; requests that must time out get a moment.
const aMomentMs = 200
const aMinuteMs = 60_000

const peer = createGuardedPeer({ allowedNetworks: ['127.0.0.1/32'], maxConnections: 50 })
let receiver: Receiver
afterEach(() => receiver.close())
after(() => peer.destroy())

const head = 'HTTP/1.1 200 OK\r\n'
const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024))

type Outcome = string | Partial<OutboundAnswer>
type Row = [what: string, behave: Behaviour, whole: Outcome, beginning: Outcome]

/** The outcomes of a request for the whole response, and of a request for its beginning only. */
const ending: Row[] = [
  [
    'an endless body',
    (socket) => flood(socket, `${head}\r\n`),
    'response too large',
    { status: 200, body: 'x'.repeat(1024) },
  ],
  [
    'an endless body in chunks',
    (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n`, `400\r\n${'x'.repeat(1024)}\r\n`),
    'response too large',
    { status: 200, body: 'x'.repeat(1024) },
  ],
  [
    'a body that will be too long',
    (socket) => flood(socket, `${head}content-length: 1000000000000\r\n\r\n`),
    'response too large',
    { status: 200, body: 'x'.repeat(1024) },
  ],
  ['endless headers', (socket) => flood(socket, head, 'a: b\r\n'), 'headers too large', 'headers too large'],
  ['one endless header', (socket) => flood(socket, `${head}a: `), 'headers too large', 'headers too large'],
  [
    'headers of 1 MB',
    (socket) => socket.write(`${head}a: ${'x'.repeat(1_000_000)}\r\ncontent-length: 0\r\n\r\n`),
    'headers too large',
    'headers too large',
  ],
  [
    'thousands of headers',
    (socket) => socket.write(`${head}${'a:b\r\n'.repeat(8_000)}content-length: 2\r\n\r\nok`),
    { status: 200, body: 'ok' },
    { status: 200, body: 'ok' },
  ],
  [
    'endless trailers',
    (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n0\r\n`, 'a: b\r\n'),
    'headers too large',
    { status: 200, body: '' },
  ],
  [
    'endless informational responses',
    (socket) => flood(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
    'response too large',
    'response too large',
  ],
  ['a reset', (socket) => socket.resetAndDestroy(), 'connection reset', 'connection reset'],
  ['a closed connection', (socket) => socket.end(), 'connection reset', 'connection reset'],
  ['half a header', (socket) => socket.end(`${head}content-le`), 'connection reset', 'connection reset'],
  [
    'a reset inside the body',
    (socket) => socket.write(`${head}content-length: 9\r\n\r\nhalf`, () => socket.resetAndDestroy()),
    'connection reset',
    { status: 200 },
  ],
  [
    'half a body',
    (socket) => socket.end(`${head}content-length: 9\r\n\r\nhalf`),
    'connection reset',
    { status: 200, body: 'half' },
  ],
  [
    'half a chunk',
    (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n9\r\nhalf`),
    'connection reset',
    { status: 200, body: 'half' },
  ],
  [
    'garbage after some chunks',
    (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzzz\r\n`),
    'response is not HTTP',
    { status: 200, body: 'half' },
  ],
  ...[
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/1.1 2000 OK\r\n\r\n',
    'HTTP/1.1 -20 OK\r\n\r\n',
    'HTTP/9.7 200 OK\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'SSH-2.0-OpenSSH_9.6\r\n',
    '220 mail.example ESMTP\r\n',
    '\0\x01\x02\x03',
    `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
    `${head}content-length: -3\r\n\r\nabc`,
    `${head}no colon\r\n\r\n`,
    `${head}a: b\0c\r\n\r\n`,
  ].map(
    (text): Row => [
      JSON.stringify(text).slice(0, 60),
      (socket) => socket.write(text),
      'response is not HTTP',
      'response is not HTTP',
    ],
  ),
]

describe('a broken response', () => {
  for (const [what, behave, whole, beginning] of ending)
    test(`${what} ends a request long before its timeout`, async () => {
      receiver = await listen(behave)
      await assertOutcome(post({ timeoutMs: aMinuteMs }), whole)
      await assertOutcome(post({ timeoutMs: aMinuteMs, answerBytes: 1024 }), beginning)
    })

  const slow: Row[] = [
    ['silence', () => {}, 'timed out', 'timed out'],
    ['headers that never end', (socket) => socket.write(`${head}a: b\r\n`), 'timed out', 'timed out'],
    ['headers sent letter by letter', (socket) => drip(socket, `${head}a: `), 'timed out', 'timed out'],
    [
      'only informational responses',
      (socket) => socket.write('HTTP/1.1 103 Early\r\n\r\n'.repeat(3)),
      'timed out',
      'timed out',
    ],
    [
      'a body that stops',
      (socket) => socket.write(`${head}content-length: 9\r\n\r\nhalf`),
      'timed out',
      { status: 200, body: 'half' },
    ],
    ['a body sent letter by letter', (socket) => drip(socket, `${head}\r\nx`), 'timed out', { status: 200 }],
    [
      'a missing body',
      (socket) => socket.write(`${head}content-length: 9\r\n\r\n`),
      'timed out',
      { body: '' },
    ],
  ]
  for (const [what, behave, whole, beginning] of slow)
    test(`${what} ends a request at its timeout`, async () => {
      receiver = await listen(behave)
      await assertOutcome(post({ timeoutMs: aMomentMs }), whole)
      await assertOutcome(post({ timeoutMs: aMomentMs, answerBytes: 1024 }), beginning)
    })
})

describe('an unusual response that', () => {
  const odd: [string, string | Buffer, Partial<OutboundAnswer>][] = [
    [
      'has 10 000 bytes of headers',
      `${head}a: ${'x'.repeat(10_000)}\r\ncontent-length: 2\r\n\r\nok`,
      { body: 'ok' },
    ],
    [
      'follows informational ones',
      `HTTP/1.1 103 Early\r\n\r\n${head}content-length: 2\r\n\r\nok`,
      { body: 'ok' },
    ],
    ['has an unknown status', 'HTTP/1.1 799 \r\ncontent-length: 0\r\n\r\n', { status: 799, body: '' }],
    ['has a Retry-After', `${answer('')}`.replace('\r\n', '\r\nRetry-After: 120\r\n'), { retryAfter: '120' }],
    [
      'has two Retry-After headers',
      answer('').replace('\r\n', '\r\nretry-after: soon\r\nretry-after: 1\r\n'),
      { retryAfter: 'soon' },
    ],
    [
      'is a decompression bomb',
      Buffer.concat([
        Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
      { status: 200, body: textOf(bomb.subarray(0, 1024)) },
    ],
    [
      'is not UTF-8',
      Buffer.concat([Buffer.from(answer('1234')).subarray(0, -4), Buffer.from('a\xffb\xfe', 'latin1')]),
      { body: 'a�b�' },
    ],
    ['holds NUL', answer('a\0b\0'), { body: 'ab' }],
    ['is cut inside a character', answer(`${'x'.repeat(1023)}é`), { body: 'x'.repeat(1023) }],
  ]
  for (const [what, bytes, expected] of odd)
    test(`${what} is accepted`, async () => {
      receiver = await listen((socket) => socket.write(bytes))
      await assertOutcome(post({ timeoutMs: aMinuteMs, answerBytes: 1024 }), expected)
    })

  test('is read to the end is left unchanged', async () => {
    receiver = await listen((socket) => socket.write(answer('{"amount": "1\0"}')))
    await assertOutcome(post({ timeoutMs: aMinuteMs }), { body: '{"amount": "1\0"}' })
  })

  test('arrives before the request was read counts', async () => {
    receiver = await listen((socket) => {
      socket.pause()
      socket.write(answer('early'))
    })
    const body = 'x'.repeat(32 * 1024 * 1024)
    await assertOutcome(post({ timeoutMs: aMinuteMs, answerBytes: 1024, body }), {
      status: 200,
      body: 'early',
    })
  })

  test('arrives with a second one does not answer the next request', async () => {
    receiver = await listen((socket) =>
      socket.write(receiver.connections === 1 ? answer('one') + answer('two') : answer('own')),
    )
    const single = createGuardedPeer({ allowedNetworks: ['127.0.0.1/32'], maxConnections: 1 })
    const responses = [
      await post({ timeoutMs: aMinuteMs }, single),
      await post({ timeoutMs: aMinuteMs }, single),
    ]
    assert.deepEqual(
      responses.map(({ body }) => body),
      ['one', 'own'],
    )
    await single.destroy()
  })
})

test('a connection is reused once its response was read to the end, even if only the beginning is kept', async () => {
  receiver = await listen((socket) => socket.write(answer('x'.repeat(60_000))))
  const single = createGuardedPeer({ allowedNetworks: ['127.0.0.1/32'], maxConnections: 1 })
  for (const _ of [1, 2, 3]) await post({ timeoutMs: aMinuteMs, answerBytes: 1024 }, single)
  assert.equal(receiver.connections, 1)
  await single.destroy()
})

describe('from the operator’s own destinations', () => {
  const trusted = createPeer(1)
  after(() => trusted.destroy())

  test('a response of 64 KiB is read completely, and a larger one is refused', async () => {
    receiver = await listen((socket, request) =>
      socket.write(answer('x'.repeat(64 * 1024 + (/more/.test(request) ? 1 : 0)))),
    )
    await assertOutcome(post({}, trusted), { body: 'x'.repeat(64 * 1024) })
    await assertOutcome(post({ headers: { more: '1' } }, trusted), 'response too large')
  })

  test('an endless response is cut off, too, and its connection is closed', async () => {
    receiver = await listen((socket) => flood(socket, `${head}\r\n`))
    await assertOutcome(post({}, trusted), 'response too large')
    await assertOutcome(post({ answerBytes: 10 }, trusted), { status: 200, body: 'x'.repeat(10) })
    assert.equal(receiver.connections, 2)
  })
})

describe('fifty concurrent requests', () => {
  for (const [what, behave, , beginning] of ending.filter(([what]) =>
    /endless|without end|too long|thousands/.test(what),
  ))
    test(`that get ${what} read little of it, and keep less`, async () => {
      let given = 0
      receiver = await listen((socket, request) => {
        socket.on('close', () => {
          given = Math.max(given, socket.bytesWritten - socket.writableLength)
        })
        behave(socket, request)
      })
      const before = memory()
      const sent = Array.from({ length: 50 }, () => post({ timeoutMs: aMinuteMs, answerBytes: 1024 }))
      await Promise.all(sent.map((one) => assertOutcome(one, beginning)))
      const growth = memory() - before
      await Promise.all(
        [...receiver.open].map((socket) => new Promise((resolve) => socket.on('close', resolve))),
      )
      assert.ok(given > 0 && given <= 16 * megabyte, `${given} bytes were taken from one receiver`)
      assert.ok(growth / 50 <= 16 * megabyte, `${growth} bytes`)
    })
})

const megabyte = 1024 * 1024

function post(options: Partial<OutboundRequest>, through = peer): Promise<OutboundAnswer> {
  const url = `http://127.0.0.1:${receiver.port}/`
  return send(through, { method: 'POST', url, body: '{}', timeoutMs: aMinuteMs, ...options })
}

async function assertOutcome(sent: Promise<OutboundAnswer>, expected: Outcome): Promise<void> {
  if (typeof expected !== 'string') {
    const response = await sent
    assert.deepEqual(response, { ...response, ...expected })
    return
  }
  await assert.rejects(sent, (error) => {
    assert.ok(error instanceof NoAnswer)
    assert.equal(error.message, expected)
    return true
  })
}

function answer(body: string): string {
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '')
}

/** Writes as long as data is accepted. */
function flood(socket: Socket, begin: string, more = 'x'): void {
  const block = more.repeat(Math.ceil((64 * 1024) / more.length))
  const write = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.write(begin)
  socket.on('drain', write)
  write()
}

function drip(socket: Socket, begin: string): void {
  const write = () => {
    if (!socket.destroyed) socket.write('x', () => setImmediate(write))
  }
  socket.write(begin)
  write()
}

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

describe('a request that is no longer allowed to leave', () => {
  const post = (mayLeave: () => boolean, over = peer) =>
    send(over, {
      method: 'POST',
      url: `http://127.0.0.1:${receiver.port}/`,
      body: '{}',
      timeoutMs: aMinuteMs,
      mayLeave,
    })

  test('is not written, on a new or a reused connection', async () => {
    let requests = 0
    receiver = await listen((socket) => {
      requests++
      answerOk(socket)
    })
    await assert.rejects(
      post(() => false),
      NotSent,
    )
    assert.equal((await post(() => true)).status, 200)
    await assert.rejects(
      post(() => false),
      NotSent,
    )
    assert.equal(requests, 1)
  })

  test('is checked only when its turn comes', async () => {
    const arrived = Promise.withResolvers<Socket>()
    receiver = await listen((socket) => arrived.resolve(socket))
    const narrow = createPeer(1)
    const first = post(() => true, narrow)
    const socket = await arrived.promise
    let [isOpen, isAsked] = [true, false]
    const second = post(() => {
      isAsked = true
      return isOpen
    }, narrow)
    const refused = assert.rejects(second, NotSent)
    isOpen = false
    assert.equal(isAsked, false)
    answerOk(socket)
    assert.equal((await first).status, 200)
    await refused
    await narrow.destroy()
  })
})
