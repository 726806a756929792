import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Collection, type Connector, createPeer } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { must } from '@pesewa/values'
import { loadCatalogue } from '../../server/src/rails/connections/catalogue.ts'
import { createMtnMomo } from './connector.ts'
import { mtnMomo } from './protocol.ts'
import type { MtnMomoSettings } from './settings.ts'

// The test runs the rail's server and controls its responses.
type Handler = (request: IncomingMessage & { text: string }, response: ServerResponse) => void

const good = { access_token: 'good', token_type: 'access_token', expires_in: 3600 }
const secrets = { subscriptionKey: 'secret-subscription', apiUser: 'secret-user', apiKey: 'secret-key' }
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const handler = request.url === '/collection/token/' ? tokenHandler : callHandler
  handler(Object.assign(request, { text }), response)
})
let tokenHandler: Handler
let callHandler: Handler
let tokensAsked: number
let mtn: Connector

before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
beforeEach(async () => {
  await mtn?.close()
  mtn = connect({})
  tokensAsked = 0
  tokenHandler = (_request, response) => {
    tokensAsked++
    response.end(JSON.stringify(good))
  }
})
after(async () => {
  await mtn.close()
  server.closeAllConnections()
  server.close()
})

describe('our account balance', () => {
  test('is read exactly and never guessed', async () => {
    answer(200, { availableBalance: '1234.56', currency: 'GHS' })
    assert.deepEqual(await mtn.balances!(), [{ name: 'collection', currency: 'GHS', amount: 123_456n }])
    for (const body of [{}, { availableBalance: '1e3', currency: 'GHS' }, { availableBalance: '5' }]) {
      answer(200, body)
      assert.deepEqual(await mtn.balances!(), { outcome: 'unknown', why: '200' })
    }
    answer(500, {})
    assert.deepEqual(await mtn.balances!(), { outcome: 'unknown', why: '500' })
  })
})

describe('a probe', () => {
  const outcomes = async () => {
    const steps = await mtn.probe!()
    assert.doesNotMatch(JSON.stringify(steps), /secret/)
    return steps.map(({ step, outcome }) => `${step}: ${outcome}`)
  }

  test('gets a token, and then queries an unknown reference', async () => {
    answer(404, { code: 'RESOURCE_NOT_FOUND' })
    assert.deepEqual(await outcomes(), ['collection: a token: ok', 'collection: an unknown reference: ok'])
    answer(403, { code: 'secret-key' })
    assert.equal((await outcomes())[1], 'collection: an unknown reference: failed')
    answer(500, {})
    assert.equal((await outcomes())[1], 'collection: an unknown reference: unknown')
  })

  test('stops without a token', async () => {
    tokenHandler = (_request, response) => void response.writeHead(401).end('{"error": "secret-key"}')
    assert.deepEqual(await outcomes(), ['collection: a token: failed'])
    tokenHandler = (_request, response) => void response.destroy()
    assert.deepEqual(await outcomes(), ['collection: a token: unknown'])
  })
})

describe('a submit', () => {
  test('contains everything that MTN needs', async () => {
    let seen: IncomingMessage & { text: string } = undefined as never
    callHandler = (request, response) => {
      seen = request
      response.writeHead(202).end()
    }
    const order = collection()
    assert.deepEqual(await mtn.collect(order), { outcome: 'accepted' })
    const { headers } = seen
    assert.deepEqual([seen.method, seen.url], ['POST', '/collection/v1_0/requesttopay'])
    assert.equal(headers.authorization, 'Bearer good')
    assert.equal(headers['x-reference-id'], order.reference)
    assert.equal(headers['x-callback-url'], order.callbackUrl)
    assert.equal(headers['x-target-environment'], 'mtnghana')
    assert.equal(headers['ocp-apim-subscription-key'], secrets.subscriptionKey)
    assert.deepEqual(JSON.parse(seen.text), {
      amount: '90071992547409.93',
      currency: 'GHS',
      externalId: '123456789012',
      payer: { partyIdType: 'MSISDN', partyId: '233241234567' },
      payerMessage: 'Cafe creme',
      payeeNote: 'Cafe creme',
    })
  })

  test('that the rail already has is accepted', async () => {
    answer(409, { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' })
    assert.deepEqual(await mtn.collect(collection()), { outcome: 'accepted' })
  })

  const refusals: [string, string][] = [
    ['NOT_ENOUGH_FUNDS', 'fund_insufficient'],
    ['PAYER_NOT_FOUND', 'provider_account_missing'],
    ['PAYER_LIMIT_REACHED', 'provider_account_quota_exhausted'],
    ['SENDER_ACCOUNT_NOT_ACTIVE', 'provider_account_blocked'],
    ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'rejected'],
    ['NOT_ALLOWED', 'rejected'],
    ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'rejected'],
    ['INVALID_CALLBACK_URL_HOST', 'rejected'],
    ['INVALID_CURRENCY', 'rejected'],
  ]
  for (const [reason, code] of refusals)
    test(`that MTN turns down with ${reason} is refused as ${code}`, async () => {
      for (const status of [400, 404]) {
        answer(status, { code: reason, message: 'Do not show this.' })
        const result = await mtn.collect(collection())
        assert(result.outcome === 'refused')
        assert.equal(result.code, code)
        assert.match(result.message, /^[A-Z][A-Za-z’ ]+\.$/)
      }
    })

  const unclear: [string, number, string][] = [
    ['an internal error', 500, '{"code": "INTERNAL_PROCESSING_ERROR"}'],
    ['a known reason with a 500', 500, '{"code": "NOT_ENOUGH_FUNDS"}'],
    ['an internal error with a 400', 400, '{"code": "INTERNAL_PROCESSING_ERROR"}'],
    ['an outcome that no submit can have', 400, '{"code": "COULD_NOT_PERFORM_TRANSACTION"}'],
    ['an unavailable service', 503, '{"code": "SERVICE_UNAVAILABLE"}'],
    ['an unknown reason', 400, '{"code": "CONSTRUCTOR"}'],
    ['a refusal without a reason', 400, ''],
    ['garbage', 404, '<html>'],
    ['a 403 page from the gateway', 403, '<html>403 Forbidden</html>'],
    ['a 500 page from the gateway', 500, '<html>500</html>'],
    ['a JSON text', 400, '"NOT_ENOUGH_FUNDS"'],
    ['another conflict', 409, '{"code": "NOT_ENOUGH_FUNDS"}'],
    ['a 200 instead of a 202', 200, '{}'],
    ['a redirect', 302, ''],
    ['two rejected tokens', 401, '{"code": "ACCESS_DENIED"}'],
    ['too many requests', 429, '{"message": "Rate limit is exceeded."}'],
  ]
  for (const [what, status, body] of unclear)
    test(`answered with ${what} has an unknown outcome`, async () => {
      callHandler = (_request, response) => response.writeHead(status, { location: '/' }).end(body)
      assert.equal((await mtn.collect(collection())).outcome, 'unknown')
    })

  const silent: [string, Handler][] = [
    ['gets no response', () => {}],
    ['gets a dropped connection', (request) => request.socket.destroy()],
    ['gets an endless response', (_request, response) => endless(response)],
    [
      'gets half a response',
      (request, response) => {
        response.writeHead(202, { 'content-length': '10' }).write('{')
        setImmediate(() => request.socket.destroy())
      },
    ],
  ]
  for (const [what, handler] of silent)
    test(`that ${what} has an unknown outcome`, async () => {
      await mtn.close()
      mtn = connect({ ...patient, timeoutMs: impatient.timeoutMs })
      callHandler = handler
      assert.equal((await mtn.collect(collection())).outcome, 'unknown')
    })
})

describe('a query', () => {
  const paid = {
    status: 'SUCCESSFUL',
    amount: '15.00',
    currency: 'GHS',
    financialTransactionId: '236',
    externalId: '1',
  }

  test('uses our reference', async () => {
    let url: string | undefined
    callHandler = (request, response) => {
      url = request.url
      response.end(JSON.stringify(paid))
    }
    await mtn.queryCollection(about('3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f'))
    assert.equal(url, '/collection/v1_0/requesttopay/3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f')
  })

  const amounts: [unknown, string, bigint | undefined][] = [
    ['15.00', 'GHS', 1500n],
    ['15', 'GHS', 1500n],
    ['15.5', 'GHS', 1550n],
    ['15.5000', 'GHS', 1550n],
    [15, 'GHS', 1500n],
    ['1500.00', 'XOF', 1500n],
    ['90071992547409.93', 'GHS', 9007199254740993n],
    ['15.001', 'GHS', undefined],
    ['1500.5', 'XOF', undefined],
    ['1.5e1', 'GHS', undefined],
    ['-15.00', 'GHS', undefined],
    ['15.', 'GHS', undefined],
    [15.5, 'GHS', undefined],
    [null, 'GHS', undefined],
    ['15.00', 'ghs', undefined],
    [`0.${'0'.repeat(60_000)}`, 'GHS', undefined],
  ]
  for (const [amount, currency, value] of amounts)
    test(`reads ${JSON.stringify(amount).slice(0, 30)} ${currency} as ${value ?? 'nothing'}`, async () => {
      answer(200, { ...paid, amount, currency })
      const result = await mtn.queryCollection(about(randomUUID()))
      if (value === undefined) assert.equal(result.outcome, 'unknown')
      else assert.deepEqual(result, { outcome: 'done', amount: value, currency, railTransaction: '236' })
    })

  const reasons: [unknown, string, RegExp][] = [
    ['NOT_ENOUGH_FUNDS', 'fund_insufficient', /not enough money/],
    ['APPROVAL_REJECTED', 'authorization_failed', /declined/],
    ['PAYMENT_NOT_APPROVED', 'authorization_failed', /did not approve/],
    ['EXPIRED', 'authorization_failed', /in time/],
    ['COULD_NOT_PERFORM_TRANSACTION', 'authorization_failed', /confirmed in time/],
    ['TRANSACTION_CANCELED', 'cancelled', /cancelled/],
    [
      { code: 'PAYER_NOT_FOUND', message: 'Payee does not exist' },
      'provider_account_missing',
      /no mobile money/,
    ],
    [{ code: 'PAYER_LIMIT_REACHED' }, 'provider_account_quota_exhausted', /limit/],
    ['SENDER_ACCOUNT_NOT_ACTIVE', 'provider_account_blocked', /blocked/],
    ['INTERNAL_PROCESSING_ERROR', 'unknown', /failed/],
    ['<b>anything</b>', 'unknown', /failed/],
    ['__proto__', 'unknown', /failed/],
    [{ code: 7 }, 'unknown', /failed/],
    [undefined, 'unknown', /failed/],
  ]
  for (const [reason, code, words] of reasons)
    test(`reads ${JSON.stringify(reason)} as ${code}`, async () => {
      answer(200, { status: 'FAILED', reason })
      const result = await mtn.queryCollection(about(randomUUID()))
      assert(result.outcome === 'refused')
      assert.equal(result.code, code)
      assert.match(result.message, words)
    })

  test('is pending while the payer decides', async () => {
    answer(200, { ...paid, status: 'PENDING' })
    assert.deepEqual(await mtn.queryCollection(about(randomUUID())), { outcome: 'pending' })
  })

  test('reports missing only if MTN does', async () => {
    answer(404, { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' })
    assert.deepEqual(await mtn.queryCollection(about(randomUUID())), { outcome: 'missing' })
    for (const [status, body] of [
      [404, {}],
      [404, { statusCode: 404 }],
      [500, { code: 'RESOURCE_NOT_FOUND' }],
    ] as const) {
      answer(status, body)
      assert.equal((await mtn.queryCollection(about(randomUUID()))).outcome, 'unknown')
    }
  })

  for (const [what, body] of [
    ['an unknown status', { ...paid, status: 'SUCCESS' }],
    ['no status', {}],
    ['a list', [paid]],
    ['nothing', null],
  ] as const)
    test(`answered with ${what} is unknown`, async () => {
      answer(200, body)
      assert.equal((await mtn.queryCollection(about(randomUUID()))).outcome, 'unknown')
    })

  test('never passes on text that a rail writes for people', async () => {
    answer(400, { code: 'Dear 233241234567', message: 'secret-key' })
    assert.deepEqual(await mtn.queryCollection(about(randomUUID())), { outcome: 'unknown', why: '400' })
  })
})

describe('a token', () => {
  for (const [platform, apiUser, apiKey] of [
    ['older', '7d5f9f8e-1d0b-4b3c-9a55-5e1a7e0c0de1', 'fedcba9876543210fedcba9876543210'],
    ['newer', 'c2VjcmV0LXVzZXI+Lw==', 'a:secret+/=%20&?token!'],
  ] as const)
    test(`is requested from MTN’s ${platform} platform with unmodified credentials and the market`, async () => {
      await mtn.close()
      mtn = connect({ collection: { ...secrets, apiUser, apiKey } })
      let seen: IncomingMessage | undefined
      tokenHandler = (request, response) => {
        seen = request
        response.end(JSON.stringify(good))
      }
      answer(202, {})
      assert.deepEqual(await mtn.collect(collection()), { outcome: 'accepted' })
      assert.equal(seen?.method, 'POST')
      assert.equal(seen?.headers['x-target-environment'], 'mtnghana')
      assert.equal(seen?.headers['ocp-apim-subscription-key'], secrets.subscriptionKey)
      const [scheme, basic = ''] = seen?.headers.authorization?.split(' ') ?? []
      assert.equal(scheme, 'Basic')
      assert.equal(Buffer.from(basic, 'base64').toString(), `${apiUser}:${apiKey}`)
    })

  test('is requested once for concurrent callers, and reused', async () => {
    answer(202, {})
    await Promise.all(Array.from({ length: 10 }, () => mtn.collect(collection())))
    await mtn.collect(collection())
    assert.equal(tokensAsked, 1)
  })

  test('without a readable lifetime is replaced before it is used again', async () => {
    tokenHandler = (_request, response) => {
      tokensAsked++
      response.end(JSON.stringify({ ...good, expires_in: 'soon' }))
    }
    answer(202, {})
    for (const _ of [1, 2, 3]) assert.equal((await mtn.collect(collection())).outcome, 'accepted')
    assert.equal(tokensAsked, 3)
  })

  test('that is rejected is replaced once, and the call is repeated', async () => {
    const calls: (string | undefined)[] = []
    tokenHandler = (_request, response) =>
      response.end(JSON.stringify({ ...good, access_token: `token-${++tokensAsked}` }))
    callHandler = (request, response) => {
      calls.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === 'Bearer token-1' ? 401 : 202).end()
    }
    assert.deepEqual(await mtn.collect(collection()), { outcome: 'accepted' })
    assert.deepEqual(calls, ['Bearer token-1', 'Bearer token-2'])
  })

  test('that the rail keeps rejecting is not requested endlessly', async () => {
    let calls = 0
    callHandler = (_request, response) => {
      calls++
      response.writeHead(401).end()
    }
    assert.deepEqual(await mtn.collect(collection()), { outcome: 'unknown', why: '401' })
    assert.deepEqual([calls, tokensAsked], [2, 2])
  })

  test('that arrives too late stops the first request and the repeated one', async () => {
    let calls = 0
    callHandler = (_request, response) => {
      calls++
      response.writeHead(401).end()
    }
    for (const lateToken of [1, 2]) {
      ;[calls, tokensAsked] = [0, 0]
      mtn = connect({})
      let isOpen = true
      tokenHandler = (_request, response) => {
        if (++tokensAsked === lateToken) isOpen = false
        response.end(JSON.stringify(good))
      }
      const result = await mtn.collect({ ...collection(), mayLeave: () => isOpen })
      assert.deepEqual(result, {
        outcome: 'unknown',
        why: 'not sent: the time limit for sending had passed',
        isTooLate: true,
      })
      assert.deepEqual([calls, tokensAsked], [lateToken - 1, lateToken])
      await mtn.close()
    }
    mtn = connect({})
  })

  test('and its message may each be sent twice, so the longest call consists of four messages', async () => {
    const momo = connect({ timeoutMs: 10_000, tokenTimeoutMs: 30_000 })
    assert.equal(momo.longestCallMs, 80_000)
    await momo.close()
  })

  test('may take 30 s, or longer if the operator’s time limit for messages is longer', async () => {
    const connection = { baseUrl: 'https://rail.invalid', targetEnvironment: 'mtnghana', collection: secrets }
    const provider = must(loadCatalogue().find('mtn-gh'), 'a provider in the catalogue')
    for (const [timeoutMs, longestCallMs] of [
      [10_000, 80_000],
      [45_000, 180_000],
    ] as const) {
      const momo = mtnMomo.connect({ ...connection, timeoutMs }, provider, createPeer(1))
      assert.equal(momo.longestCallMs, longestCallMs)
      await momo.close()
    }
  })

  const failing: [string, Handler][] = [
    ['is refused', (_request, response) => response.writeHead(401).end('{"error": "login_failed"}')],
    ['is garbage', (_request, response) => response.end('<html>')],
    ['the gateway blocks', (_request, response) => response.writeHead(403).end('<html>403 Forbidden</html>')],
    ['breaks the gateway', (_request, response) => response.writeHead(500).end('<html>500</html>')],
    [
      'has an unknown market',
      (_request, response) =>
        response.writeHead(400).end('{"error": "Invalid or missing X-Target-Environment header"}'),
    ],
    ['cannot be sent in a header', (_request, response) => response.end('{"access_token": "a\\r\\nb: c"}')],
    ['never comes', () => {}],
    ['is too long', (_request, response) => endless(response)],
  ]
  for (const [what, handler] of failing)
    test(`that ${what} leaves the outcome unknown, and nothing is sent`, async () => {
      await mtn.close()
      mtn = connect(impatient)
      tokenHandler = handler
      callHandler = () => assert.fail('nothing may be sent without a token')
      for (const result of [
        await mtn.collect(collection()),
        await mtn.queryCollection(about(randomUUID())),
      ]) {
        assert(result.outcome === 'unknown')
        assert.match(result.why, /^not sent because no token could be obtained: /)
        assert.doesNotMatch(result.why, /secret/)
      }
    })

  test('is requested again after a failure', async () => {
    const working = tokenHandler
    tokenHandler = (_request, response) => response.writeHead(500).end()
    answer(202, {})
    assert.equal((await mtn.collect(collection())).outcome, 'unknown')
    tokenHandler = working
    assert.equal((await mtn.collect(collection())).outcome, 'accepted')
  })
})

test('a sandbox is called in its single currency, and its responses are read in the provider’s own', async () => {
  const sandbox = connect({ targetEnvironment: 'sandbox', sandboxCurrency: { sent: 'EUR', currency: 'XOF' } })
  let sent: { amount?: string; currency?: string } = {}
  callHandler = (request, response) => {
    if (request.method === 'POST') sent = JSON.parse(request.text)
    response
      .writeHead(request.method === 'POST' ? 202 : 200)
      .end(JSON.stringify({ ...sent, status: 'SUCCESSFUL' }))
  }
  const order = { ...collection(), currency: 'XOF', amount: 1500n }
  await sandbox.collect(order)
  assert.deepEqual([sent.amount, sent.currency], ['15.00', 'EUR'])
  const result = await sandbox.queryCollection(about(order.reference))
  assert.deepEqual(result, { outcome: 'done', amount: 1500n, currency: 'XOF', railTransaction: undefined })
  await sandbox.close()
})

const patient = { timeoutMs: 10_000, tokenTimeoutMs: 10_000 }
/** Timeouts for a rail that does not respond. */
const impatient = { timeoutMs: 250, tokenTimeoutMs: 250 }

function connect(changes: Partial<MtnMomoSettings>): Connector {
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  return createMtnMomo(
    {
      baseUrl,
      targetEnvironment: 'mtnghana',
      collection: secrets,
      ...patient,
      ...changes,
    },
    createPeer(10),
  )
}

function collection(): Collection {
  return {
    reference: randomUUID(),
    amount: 9007199254740993n,
    currency: 'GHS',
    payerAccount: '+233241234567',
    description: '  Café “crème”\n',
    orderNumber: '123456789012',
    callbackUrl: 'https://pay.example/callbacks/payments/abc',
    returnUrl: null,
    mayLeave: () => true,
  }
}

function answer(status: number, body: unknown): void {
  callHandler = (_request, response) => response.writeHead(status).end(JSON.stringify(body))
}

function endless(response: ServerResponse): void {
  const megabyte = 'x'.repeat(1 << 20)
  const write = () => {
    while (!response.destroyed && response.write(megabyte));
  }
  response.on('drain', write)
  write()
}
