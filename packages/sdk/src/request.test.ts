import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, describe, test } from 'node:test'
import { backOff } from './delays.ts'
import {
  ApiError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  OutcomeUnknownError,
  Pesewa,
  type PesewaOptions,
  RateLimitError,
  verifyWebhook,
} from './index.ts'
import { api, operationOf, request } from './internal.ts'
import { connect, payments, webhooks } from './resources.ts'

type Reply = (response: ServerResponse, request: IncomingMessage) => void

/** Responses of the server, in order; the last one repeats. */
let replies: Reply[] = []
const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const [, place = '', url = ''] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? []
  // A request that an earlier test gave up on can arrive late.
  if (place !== String(tests)) return void response.destroy()
  seen.push({ method: request.method ?? '', url, headers: request.headers, body })
  const reply = replies.length > 1 ? replies.shift() : replies[0]
  reply?.(response, request)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
/** Each test uses a different address. */
let tests = 0
beforeEach(() => {
  tests++
  seen.length = 0
})

const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const clientOf = (more: Partial<PesewaOptions> = {}) =>
  new Pesewa({ token: 'psw_test_x', space: 'spc-1', baseUrl: `${origin}/${tests}`, ...more })
const json =
  (status: number, content: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'service-request-id': 'req-1', ...headers }).end(JSON.stringify(content))
const ok = (result: unknown, pagination?: object) => json(200, { success: true, result, pagination })
const refusal = (status: number, reason: string, headers?: Record<string, string>) =>
  json(status, { success: false, error: { reason, message: 'No.', details: [] } }, headers)
const hangUp: Reply = (response) => response.destroy()
const silence: Reply = () => {}
const session = { name: 'Order 42', lineItems: [] }

describe('a call', () => {
  test('sends the token, the Space and a new idempotency key, and returns the result', async () => {
    replies = [ok({ id: 'cos-1' })]
    const pesewa = clientOf()
    assert.deepEqual(await pesewa.checkoutSessions.create(session), { id: 'cos-1' })
    const [{ method, url, headers, body } = must()] = seen
    assert.deepEqual([method, url, JSON.parse(body)], ['POST', '/v1/checkout-sessions', session])
    assert.equal(headers.authorization, 'Bearer psw_test_x')
    assert.equal(headers['service-space-id'], 'spc-1')
    assert.match(`${headers['idempotency-key']}`, /^[\w-]{36}$/)
    await pesewa.checkoutSessions.create(session)
    assert.notEqual(seen[1]?.headers['idempotency-key'], headers['idempotency-key'])
  })

  test('uses its options for that call only', async () => {
    replies = [ok(null)]
    const options = { idempotencyKey: 'order-42', space: 'spc-2', headers: { 'service-version': 'x' } }
    await clientOf().payouts.approve('pyt/1 ?', options)
    const [{ url, headers, body } = must()] = seen
    assert.deepEqual([url, body], ['/v1/payouts/pyt%2F1%20%3F/approve', '{}'])
    assert.deepEqual(
      [headers['idempotency-key'], headers['service-space-id'], headers['service-version']],
      ['order-42', 'spc-2', 'x'],
    )
    await clientOf().payments.retrieve('pay-1')
    assert.equal(seen[1]?.headers['idempotency-key'], undefined)
    assert.throws(() => clientOf().payments.retrieve(''), TypeError)
    assert.throws(() => new Pesewa({ token: '', baseUrl: origin }), /token is required/)
  })

  test('returns status, headers and request id on demand', async () => {
    replies = [ok({ id: 'pay-1' })]
    const { data, status, requestId, headers } = await clientOf().payments.retrieve('pay-1').withResponse()
    assert.deepEqual([data, status, requestId], [{ id: 'pay-1' }, 200, 'req-1'])
    assert.equal(headers.get('service-request-id'), 'req-1')
  })

  test('reads totals beyond the range of a double exactly', async () => {
    replies = [(response) => response.end('{"success":true,"result":{"value":9007199254740993,"other":12}}')]
    const result: unknown = await clientOf().overview.retrieve()
    assert.deepEqual(result, { value: 9007199254740993n, other: 12 })
  })

  test('passes each attempt to hooks, without token or body', async () => {
    replies = [refusal(503, 'service_unavailable'), ok({})]
    const heard: object[] = []
    const options = { onRequest: heard.push.bind(heard), onResponse: heard.push.bind(heard) }
    await clientOf(options).payments.retrieve('pay-1')
    assert.equal(heard.length, 4)
    assert.ok(!JSON.stringify(heard).includes('psw_'))
    const [, { durationMs: _, ...first } = must<Record<string, unknown>>()] = heard as Record<
      string,
      unknown
    >[]
    assert.deepEqual(first, {
      ...{ method: 'GET', path: '/v1/payments/pay-1', attempt: 1, idempotencyKey: undefined },
      ...{ status: 503, requestId: 'req-1' },
    })
  })
})

describe('a refusal', () => {
  for (const [status, reason, kind] of [
    [400, 'arguments_invalid', InvalidRequestError],
    [409, 'fund_insufficient', ConflictError],
  ] as const)
    test(`with ${status} is thrown immediately as its own class, with reason, details and request id`, async () => {
      const details = [{ param: 'amount.value', errors: ['must be at least 1'] }]
      replies = [json(status, { success: false, error: { reason, message: 'No.', details } })]
      const error = await clientOf()
        .payouts.create({} as never, { idempotencyKey: 'k' })
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      assert.ok(error instanceof kind && error instanceof ApiError)
      assert.deepEqual(
        [error.status, error.reason, error.details, error.requestId, error.idempotencyKey, error.message],
        [status, reason, details, 'req-1', 'k', 'No: amount.value must be at least 1.'],
      )
      assert.equal(seen.length, 1)
    })
})

const unexpected = (): never => assert.fail('the call was not refused')

test('the message of a refusal includes its first problem and counts the rest', async () => {
  const messageOf = async (message: string, details: object[]) => {
    replies = [json(400, { success: false, error: { reason: 'arguments_invalid', message, details } })]
    return clientOf()
      .payments.retrieve('pay-1')
      .then(unexpected, (error: unknown) => (error as Error).message)
  }
  const some = 'Some arguments are invalid; see details.'
  const faults = [
    { param: 'name', errors: ['is required'] },
    { param: 'lineItems[0].price.value', errors: ['must be at least 1', 'must be of type integer'] },
  ]
  assert.equal(await messageOf(some, faults.slice(0, 1)), 'Some arguments are invalid: name is required.')
  assert.equal(
    await messageOf(some, faults),
    'Some arguments are invalid: name is required (2 more in details).',
  )
  await assert.rejects(clientOf().payments.retrieve('pay-1'), { summary: some })
  assert.equal(await messageOf('No.', []), 'No.')
  assert.equal(await messageOf('No.', [{ param: 'name', errors: [] }]), 'No.')
})

test('methods have names, which appear in the stack of a refusal', async () => {
  const pesewa = clientOf()
  assert.equal(pesewa.payouts.create.name, 'payouts.create')
  const unnamed = (client: object): string[] =>
    Object.entries(client).flatMap(([name, member]) =>
      typeof member === 'function' ? (member.name ? [] : [name]) : unnamed(member),
    )
  assert.deepEqual(unnamed(pesewa), [])
  replies = [refusal(404, 'not_found')]
  const { stack } = await pesewa.payments
    .retrieve('pay-1')
    .then(unexpected, (error: unknown) => error as Error)
  assert.match(`${stack}`, /at async payments\.retrieve /)
  const list = await pesewa.payments
    .list()
    .page()
    .then(unexpected, (error: unknown) => error as Error)
  assert.match(`${list.stack}`, /at async payments\.list /)
})

describe('a call that gets no response, or a temporary failure,', () => {
  const again: [what: string, reply: Reply][] = [
    ['a closed connection', hangUp],
    ['silence', silence],
    ['429', refusal(429, 'too_many_requests')],
    ['500', refusal(500, 'internal_error')],
    ['503', refusal(503, 'service_unavailable')],
    ['an error page from a proxy', (response) => response.writeHead(502).end('<html>')],
    ['an idempotency key in progress', refusal(409, 'idempotency_key_in_progress')],
  ]
  for (const [what, reply] of again)
    test(`is retried with the same key: ${what}`, async () => {
      replies = [reply, ok({ id: 'pyt-1' })]
      const payout: unknown = await clientOf({ tryTimeoutMs: 300 }).payouts.create({} as never)
      assert.deepEqual(payout, { id: 'pyt-1' })
      const [first, second] = seen.map(({ headers, body }) => [headers['idempotency-key'], body])
      assert.deepEqual(first, second)
      assert.equal(seen.length, 2)
    })

  test('waits as long as Retry-After requires', async () => {
    replies = [refusal(429, 'too_many_requests', { 'retry-after': '1' }), ok({})]
    const begun = performance.now()
    await clientOf().payments.retrieve('pay-1')
    assert.ok(performance.now() - begun >= 1_000)
  })

  test('waits longer after each failure, with jitter', () => {
    for (const [failures, longest] of [
      [1, 500],
      [2, 1_000],
      [5, 8_000],
      [100, 8_000],
    ] as const) {
      const waits = Array.from({ length: 100 }, () => backOff(failures))
      assert.ok(waits.every((ms) => ms >= longest / 2 && ms <= longest))
      assert.ok(new Set(waits).size > 50)
    }
  })

  test('fails immediately if the wait would exceed its timeout', async () => {
    replies = [refusal(429, 'too_many_requests', { 'retry-after': '3600' })]
    await assert.rejects(clientOf().payments.retrieve('pay-1'), RateLimitError)
    assert.equal(seen.length, 1)
  })

  test('is attempted three times, or as configured', async () => {
    replies = [refusal(503, 'service_unavailable')]
    await assert.rejects(clientOf().payments.retrieve('pay-1'), { status: 503 })
    assert.equal(seen.length, 3)
    await assert.rejects(clientOf().payments.retrieve('pay-1', { maxRetries: 0 }), { status: 503 })
    assert.equal(seen.length, 4)
  })

  test('ends when its caller aborts', async () => {
    replies = [silence]
    const stop = new AbortController()
    const call = clientOf().payments.retrieve('pay-1', { signal: stop.signal })
    stop.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
    replies = [refusal(503, 'service_unavailable', { 'retry-after': '20' })]
    const waiting = clientOf().payments.retrieve('pay-1', { signal: AbortSignal.timeout(100) })
    await assert.rejects(waiting, { name: 'TimeoutError' })
  })
})

test('a redirect is not followed but named in the error', async () => {
  replies = [(response) => response.writeHead(308, { location: 'https://pay.example' }).end()]
  await assert.rejects(
    clientOf().payments.retrieve('pay-1'),
    /baseUrl .* redirects to https:\/\/pay\.example/,
  )
  assert.equal(seen.length, 1)
})

test('a client needs a token and an address', () => {
  for (const baseUrl of ['', 'pay.example.com', 'http://', 'ftp://pay.example.com', undefined])
    assert.throws(() => clientOf({ baseUrl: baseUrl as string }), /baseUrl is required/)
  assert.throws(() => clientOf({ token: '' }), /token is required/)
})

test('a client with some resources has only those, with the same calls', async () => {
  replies = [ok({ id: 'pay-1' })]
  const options = { token: 'psw_test_x', baseUrl: `${origin}/${tests}` }
  const some = connect(options, { payments, webhooks })
  assert.deepEqual(Object.keys(some), ['payments', 'webhooks'])
  assert.deepEqual(await some.payments.retrieve('pay-1'), { id: 'pay-1' })
  assert.equal(some.webhooks.verify, verifyWebhook)
})

test('the console calls without a token, and receives a file of the type that it accepts', async () => {
  const file: Reply = (response) => response.writeHead(200, { 'content-type': 'text/csv' }).end('id\npay-1\n')
  replies = [file, ok('not a file'), refusal(403, 'access_denied')]
  const client = { baseUrl: `${origin}/${tests}` }
  const { operation, isList } = operationOf(api.payments.list, [{ status: 'completed' }])
  const download = () => request<Blob>(client, operation, { headers: { accept: 'text/csv' } })
  assert.equal(await (await download()).data.text(), 'id\npay-1\n')
  assert.equal((await download()).data, 'not a file')
  await assert.rejects(download, ApiError)
  const [{ url, headers } = must()] = seen
  assert.deepEqual([isList, url, headers.accept], [true, '/v1/payments?status=completed', 'text/csv'])
  assert.equal(headers.authorization, undefined)
})

test('a silent stream is reconnected after the last event', async () => {
  // U+2028 ends a line in JavaScript, but not in the stream.
  const event = (id: string) => `id: ${id}\nevent: x\ndata: {"id":"${id}","name":"a\u2028b"}\n\n`
  const stream =
    (...chunks: string[]): Reply =>
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const chunk of chunks) response.write(chunk)
    }
  const [first, second] = [event('evt-1'), event('evt-2')]
  replies = [
    stream(': open\n\n', first.slice(0, 9), first.slice(9)),
    refusal(503, 'service_unavailable'),
    stream(second + event('evt-3')),
  ]
  const ids: string[] = []
  const states: boolean[] = []
  const onConnection = (isOpen: boolean) => states.push(isOpen)
  for await (const { id } of clientOf().events.stream({ after: 'evt-0', silenceMs: 100, onConnection }))
    if (ids.push(id) === 3) break
  assert.deepEqual(states, [true, false, true, false])
  assert.deepEqual(ids, ['evt-1', 'evt-2', 'evt-3'])
  assert.deepEqual(
    seen.map(({ headers }) => headers['last-event-id']),
    ['evt-0', 'evt-1', 'evt-1'],
  )
})

test('a stream reconnects if the list of missed events cannot be read after it was opened', async () => {
  const open: Reply = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
  }
  replies = [ok([]), open, hangUp, open, refusal(503, 'service_unavailable'), open, ok([{ id: 'evt-1' }])]
  const states: boolean[] = []
  const onConnection = (isOpen: boolean) => states.push(isOpen)
  for await (const { id } of clientOf({ maxRetries: 0 }).events.stream({ onConnection })) {
    assert.equal(id, 'evt-1')
    break
  }
  assert.deepEqual(states, [true, false, true, false, true, false])
})

describe('an outcome', () => {
  const unknown: [what: string, reply: Reply][] = [
    ['there is no response', hangUp],
    ['the service fails', refusal(500, 'internal_error')],
    ['a proxy sends an empty success response', (response) => response.end()],
    ['the JSON is not from the service', json(200, { success: true })],
    ['a proxy responds instead', (response) => response.writeHead(404).end('<html>')],
  ]
  for (const [what, reply] of unknown)
    test(`is unknown if ${what}, and is settled with the same key`, async () => {
      replies = [reply]
      const calling = clientOf({ maxRetries: 0 }).payouts.create({} as never)
      const error = await calling.then(
        () => assert.fail('the outcome is unknown'),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof OutcomeUnknownError)
      replies = [refusal(503, 'service_unavailable'), ok({ id: 'pyt-1' })]
      assert.deepEqual(await error.settle(), { id: 'pyt-1' })
      assert.deepEqual(
        new Set(seen.map(({ headers }) => headers['idempotency-key'])),
        new Set([error.idempotencyKey]),
      )
    })

  test('stays unknown if a retry is refused because of a rate limit', async () => {
    replies = [hangUp, refusal(429, 'too_many_requests')]
    await assert.rejects(clientOf().payouts.create({} as never), OutcomeUnknownError)
  })

  for (const [status, reason] of [
    [401, 'token_expired'],
    [403, 'access_denied'],
  ] as const)
    test(`stays unknown if a retry is refused with ${status}, even while settling`, async () => {
      replies = [hangUp, refusal(status, reason)]
      const error = await clientOf()
        .payouts.create({} as never)
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
      assert.ok(error instanceof OutcomeUnknownError)
      await assert.rejects(error.settle(), OutcomeUnknownError)
      replies = [refusal(409, 'fund_insufficient')]
      await assert.rejects(error.settle(), { reason: 'fund_insufficient' })
    })

  test('is unknown if the caller aborts after sending, but not before', async () => {
    const stop = new AbortController()
    replies = [() => stop.abort(new Error('enough'))]
    const calling = clientOf().payouts.create({} as never, { signal: stop.signal })
    const error = await calling.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof OutcomeUnknownError && /enough/.test(String(error.cause)))
    replies = [ok({ id: 'pyt-1' })]
    await assert.rejects(clientOf().payouts.create({} as never, { signal: stop.signal }), /enough/)
    assert.deepEqual(await error.settle({ signal: AbortSignal.timeout(5_000) }), { id: 'pyt-1' })
  })

  test('is not in doubt if nothing could be sent', async () => {
    await assert.rejects(clientOf().payouts.create({} as never, { idempotencyKey: 'a\nb' }), TypeError)
    await assert.rejects(clientOf().payouts.create({ amount: { value: 2n ** 60n } } as never), RangeError)
    const onRequest = () => {
      throw new Error('the hook failed')
    }
    await assert.rejects(clientOf({ onRequest }).payouts.create({} as never), /the hook failed/)
    assert.equal(seen.length, 0)
  })

  test('is known once the service reports it', async () => {
    replies = [hangUp, refusal(409, 'fund_insufficient')]
    await assert.rejects(clientOf().payouts.create({} as never), { reason: 'fund_insufficient' })
  })

  test('of a read is never unknown', async () => {
    replies = [hangUp]
    await assert.rejects(clientOf({ maxRetries: 0 }).payments.retrieve('pay-1'), ConnectionError)
  })

  test('that cannot be settled in time stays unknown', async () => {
    replies = [hangUp]
    const error = await clientOf({ maxRetries: 0 })
      .payouts.create({} as never)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    assert.ok(error instanceof OutcomeUnknownError)
    await assert.rejects(error.settle({ timeoutMs: 50 }), OutcomeUnknownError)
  })
})

describe('a list', () => {
  const pages = () => {
    replies = [
      ok([{ id: 'a' }, { id: 'b' }], { count: 2, next: 'n1' }),
      ok([{ id: 'c' }], { count: 1, next: null }),
      hangUp,
    ]
  }
  test('is read row by row across pages', async () => {
    pages()
    const ids: string[] = []
    for await (const { id } of clientOf().payments.list({ status: 'completed', limit: 2 })) ids.push(id)
    assert.deepEqual(ids, ['a', 'b', 'c'])
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/v1/payments?status=completed&limit=2', '/v1/payments?status=completed&limit=2&after=n1'],
    )
  })

  test('is read page by page', async () => {
    pages()
    const list = clientOf().payments.list()
    const first = await list.page()
    assert.deepEqual([first.items.length, first.next], [2, 'n1'])
    assert.deepEqual((await list.page(first.next)).next, null)
  })

  test('is read up to a limit, without requesting more pages than needed', async () => {
    pages()
    const rows = await clientOf().payments.list().all({ limit: 2 })
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['a', 'b'],
    )
    assert.equal(seen.length, 1)
    assert.deepEqual(await clientOf().payments.list().all({ limit: 0 }), [])
  })
})

function must<T = (typeof seen)[number]>(): T {
  throw new Error('nothing was sent')
}
