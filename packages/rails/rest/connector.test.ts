import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  type Collection,
  type Connector,
  createPeer,
  type Disbursement,
  type RailRefund,
} from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { createAcquirer } from '../acquirer/connector.ts'
import { createRest } from './connector.ts'

// The test runs the rail's server and controls its responses.
type Handler = (request: IncomingMessage & { text: string }, response: ServerResponse) => void

let handle: Handler
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  handle(Object.assign(request, { text }), response)
})
let origin: string
type GivesBack = Connector & Required<Pick<Connector, 'refund' | 'queryRefund'>>
let rest: GivesBack & Required<Pick<Connector, 'disburse' | 'queryDisbursement' | 'verifyAccount'>>
let acquirer: GivesBack

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { baseUrl: `${origin}/v1`, key: 'secret-key', pageOrigin: origin, timeoutMs: 250 }
  rest = createRest({ ...settings, flow: 'redirect' }, createPeer(10)) as typeof rest
  acquirer = createAcquirer(settings, createPeer(10)) as typeof acquirer
})
after(async () => {
  await rest.close()
  await acquirer.close()
  server.closeAllConnections()
  server.close()
})

test('a probe queries an unknown reference, and reports the response without a secret', async () => {
  const answers: [number, object, string][] = [
    [404, { code: 'not_found' }, 'ok'],
    [401, { code: 'secret-key' }, 'failed'],
    [404, {}, 'failed'],
    [500, {}, 'unknown'],
    [200, { status: 'pending' }, 'failed'],
  ]
  for (const [status, body, outcome] of answers) {
    handle = (_request, response) => response.writeHead(status).end(JSON.stringify(body))
    for (const connector of [rest, acquirer] as Connector[]) {
      const steps = await connector.probe!()
      assert.deepEqual(
        steps.map((step) => step.outcome),
        [outcome],
      )
      assert.doesNotMatch(JSON.stringify(steps), /secret/)
    }
  }
  handle = (_request, response) => response.destroy()
  assert.equal((await rest.probe!())[0]?.outcome, 'unknown')
})

test('a submit after the fence is not sent, and says so', async () => {
  handle = () => assert.fail('it was sent')
  const late = { mayLeave: () => false }
  const tooLate = {
    outcome: 'unknown',
    why: 'not sent: the time limit for sending had passed',
    isTooLate: true,
  }
  assert.deepEqual(await rest.collect({ ...collection(), ...late }), tooLate)
  assert.deepEqual(await rest.disburse({ ...disbursement(), ...late }), tooLate)
  assert.deepEqual(await rest.refund({ ...refund(), ...late }), tooLate)
  assert.deepEqual(await acquirer.collect({ ...collection(), payerAccount: null, ...late }), tooLate)
  assert.deepEqual([rest.longestCallMs, acquirer.longestCallMs], [250, 250])
})

test('a submit contains everything a bank needs, and no account for an acquirer', async () => {
  const seen: (IncomingMessage & { text: string })[] = []
  handle = (request, response) => {
    seen.push(request)
    response.writeHead(202).end(JSON.stringify({ status: 'pending', redirectUrl: `${origin}/page` }))
  }
  const order = collection()
  const accepted = { outcome: 'accepted', redirectUrl: `${origin}/page` }
  assert.deepEqual(await rest.collect(order), accepted)
  assert.deepEqual(await acquirer.collect({ ...order, payerAccount: null }), accepted)
  const [bank, card] = seen
  assert.deepEqual([bank?.method, bank?.url], ['PUT', `/v1/collections/${order.reference}`])
  assert.deepEqual([card?.method, card?.url], ['PUT', `/v1/sessions/${order.reference}`])
  for (const { headers } of seen) assert.equal(headers.authorization, 'Bearer secret-key')
  const common = {
    amount: 9007199254740991,
    currency: 'SLE',
    description: 'Café “crème”',
    orderNumber: '123456789012',
    callbackUrl: order.callbackUrl,
    returnUrl: order.returnUrl,
  }
  assert.deepEqual(JSON.parse(bank?.text ?? ''), {
    ...common,
    flow: 'redirect',
    payer: { account: '0011223344' },
  })
  assert.deepEqual(JSON.parse(card?.text ?? ''), common)
})

describe('a submit', () => {
  for (const [code, ours] of [
    ['insufficient_funds', 'fund_insufficient'],
    ['account_missing', 'provider_account_missing'],
    ['account_blocked', 'provider_account_blocked'],
    ['limit_reached', 'provider_account_quota_exhausted'],
    ['not_allowed', 'rejected'],
    ['currency_not_supported', 'rejected'],
  ])
    test(`that the rail turns down with ${code} is refused as ${ours}`, async () => {
      answer(422, { code, message: 'Do not show this.' })
      const result = await rest.collect(collection())
      assert.deepEqual([result.outcome, 'code' in result && result.code], ['refused', ours])
      assert.doesNotMatch(JSON.stringify(result), /Do not show/)
    })

  const unclear: [string, number, string][] = [
    ['a known code with a 500', 500, '{"code": "insufficient_funds"}'],
    ['a code for final outcomes', 422, '{"code": "declined"}'],
    ['an unknown code', 422, '{"code": "constructor"}'],
    ['garbage', 400, '<html>'],
    ['a conflict', 409, '{"code": "reference_in_use"}'],
    ['a wrong key', 401, '{"code": "key_invalid"}'],
    ['a 200 instead of a 202', 200, '{"status": "pending"}'],
    ['an empty 202', 202, ''],
    ['a 202 with a status other than pending', 202, '{"status": "failed"}'],
    ['a redirect', 302, ''],
    ['too many requests', 429, '{}'],
  ]
  for (const [what, status, body] of unclear)
    test(`answered with ${what} has an unknown outcome`, async () => {
      handle = (_request, response) => response.writeHead(status, { location: '/' }).end(body)
      for (const connector of [rest, acquirer])
        assert.equal((await connector.collect(collection())).outcome, 'unknown')
    })

  const silent: [string, Handler][] = [
    ['is never answered', () => {}],
    ['is answered by dropping the connection', (request) => request.socket.destroy()],
    [
      'is answered by half a response',
      (request, response) => {
        response.writeHead(202, { 'content-length': '10' }).write('{')
        setImmediate(() => request.socket.destroy())
      },
    ],
  ]
  for (const [what, handler] of silent)
    test(`that ${what} has an unknown outcome`, async () => {
      handle = handler
      for (const result of [
        await rest.collect(collection()),
        await acquirer.queryCollection(about(randomUUID())),
      ])
        assert.equal(result.outcome, 'unknown')
    })

  for (const url of [
    'https://evil.example/page',
    'javascript:alert(1)',
    '/page',
    'http://user:pass@127.0.0.1/',
    '',
    7,
    `http://127.0.0.1.evil.example/`,
  ])
    test(`that redirects the payer to ${JSON.stringify(url)} is unknown and a security issue`, async () => {
      answer(202, { status: 'pending', redirectUrl: url })
      const result = await rest.collect(collection())
      assert.deepEqual([result.outcome, 'isSecurity' in result && result.isSecurity], ['unknown', true])
      answer(200, { status: 'pending', redirectUrl: url })
      assert.equal((await rest.queryCollection(about(randomUUID()))).outcome, 'unknown')
    })

  test('to an acquirer that returns no page has an unknown outcome', async () => {
    answer(202, { status: 'pending' })
    assert.deepEqual(await rest.collect(collection()), { outcome: 'accepted' })
    assert.equal((await acquirer.collect(collection())).outcome, 'unknown')
  })
})

describe('a query', () => {
  const done = { status: 'done', amount: 1500, currency: 'SLE', transactionId: 'T-1' }
  const moved = { outcome: 'done', amount: 1500n, currency: 'SLE', railTransaction: 'T-1' }

  test('reads the amount that was moved', async () => {
    answer(200, done)
    assert.deepEqual(await rest.queryCollection(about(randomUUID())), moved)
  })

  for (const amount of ['1500', 15.5, -1500, null, 9007199254740992, 1e300])
    test(`does not accept an amount such as ${JSON.stringify(amount)}`, async () => {
      answer(200, { ...done, amount })
      assert.equal((await rest.queryCollection(about(randomUUID()))).outcome, 'unknown')
    })

  for (const currency of ['sle', 'SLL', 'insufficient_funds', '', null])
    test(`does not accept a currency such as ${JSON.stringify(currency)}`, async () => {
      answer(200, { ...done, currency })
      assert.equal((await rest.queryCollection(about(randomUUID()))).outcome, 'unknown')
    })

  test('accepts only our reference if the response names one', async () => {
    const reference = randomUUID()
    answer(200, { ...done, reference })
    assert.deepEqual(await rest.queryCollection(about(reference)), moved)
    for (const document of [done, { status: 'failed' }, { status: 'pending' }]) {
      answer(200, { ...document, reference: randomUUID() })
      assert.equal((await rest.queryCollection(about(reference))).outcome, 'unknown')
      assert.equal((await rest.queryDisbursement(about(reference))).outcome, 'unknown')
      assert.equal((await acquirer.queryCollection(about(reference))).outcome, 'unknown')
    }
  })

  for (const [code, ours] of [
    ['declined', 'authorization_failed'],
    ['expired', 'authorization_failed'],
    ['not_confirmed', 'authorization_failed'],
    ['not_authenticated', 'authorization_failed'],
    ['cancelled', 'cancelled'],
    ['insufficient_funds', 'fund_insufficient'],
    ['__proto__', 'unknown'],
    [undefined, 'unknown'],
  ])
    test(`reads ${code} as ${ours}`, async () => {
      answer(200, { status: 'failed', code })
      const result = await rest.queryCollection(about(randomUUID()))
      assert.deepEqual([result.outcome, 'code' in result && result.code], ['refused', ours])
    })

  test('reports missing only if the rail does', async () => {
    answer(404, { code: 'not_found' })
    assert.deepEqual(await rest.queryCollection(about(randomUUID())), { outcome: 'missing' })
    for (const [status, body] of [
      [404, {}],
      [404, { code: 'no_such_rail' }],
      [500, { code: 'not_found' }],
      [200, { status: 'SUCCESS' }],
      [200, [done]],
    ] as const) {
      answer(status, body)
      assert.equal((await rest.queryCollection(about(randomUUID()))).outcome, 'unknown')
    }
  })

  const card = { scheme: 'visa', last4: '4242', token: 'crd_8Tq1' }
  test('reads the card that paid', async () => {
    answer(200, { ...done, card })
    assert.deepEqual(await acquirer.queryCollection(about(randomUUID())), { ...moved, card })
  })

  for (const [what, wrong] of [
    ['with a card number as its token', { ...card, token: '4242424242424242' }],
    ['with more than four digits', { ...card, last4: '4242424242424242' }],
    ['of an unknown scheme', { ...card, scheme: 'diners' }],
    ['that is not an object', 7],
  ] as const)
    test(`omits a card ${what}, and still books the money`, async () => {
      answer(200, { ...done, card: wrong })
      assert.deepEqual(await acquirer.queryCollection(about(randomUUID())), moved)
    })
})

describe('paying out', () => {
  test('a submit contains everything a bank needs', async () => {
    let seen: IncomingMessage & { text: string } = undefined as never
    handle = (request, response) => {
      seen = request
      response.writeHead(202).end('{"status": "pending"}')
    }
    const order = disbursement()
    assert.deepEqual(await rest.disburse(order), { outcome: 'accepted' })
    assert.deepEqual([seen.method, seen.url], ['PUT', `/v1/transfers/${order.reference}`])
    assert.equal(seen.headers.authorization, 'Bearer secret-key')
    assert.deepEqual(JSON.parse(seen.text), {
      amount: 9007199254740991,
      currency: 'SLE',
      payee: { account: '0011223344' },
      description: 'Wages',
      callbackUrl: order.callbackUrl,
    })
  })

  for (const [code, ours] of [
    ['insufficient_funds', 'fund_insufficient'],
    ['account_missing', 'provider_account_missing'],
    ['account_blocked', 'provider_account_blocked'],
    ['limit_reached', 'provider_account_quota_exhausted'],
    ['not_allowed', 'rejected'],
  ])
    test(`a submit turned down with ${code} is refused as ${ours}`, async () => {
      answer(422, { code, message: 'Do not show this.' })
      const result = await rest.disburse(disbursement())
      assert.deepEqual([result.outcome, 'code' in result && result.code], ['refused', ours])
    })

  for (const [what, handler] of [
    ['a code for final outcomes', replying(422, '{"code": "declined"}')],
    ['a known code with a 500', replying(500, '{"code": "insufficient_funds"}')],
    ['a conflict', replying(409, '{"code": "reference_in_use"}')],
    ['an unknown path', replying(404, '{}')],
    ['garbage', replying(202, '<html>')],
    ['silence', () => {}],
    ['a dropped connection', (request) => request.socket.destroy()],
  ] as [string, Handler][])
    test(`answered with ${what} has an unknown outcome`, async () => {
      handle = handler
      assert.equal((await rest.disburse(disbursement())).outcome, 'unknown')
    })

  test('a query reports done, failed or missing', async () => {
    let url: string | undefined
    const reference = randomUUID()
    handle = (request, response) => {
      url = request.url
      response.end('{"status": "done", "amount": 1500, "currency": "SLE", "transactionId": "T-1"}')
    }
    const moved = { outcome: 'done', amount: 1500n, currency: 'SLE', railTransaction: 'T-1' }
    assert.deepEqual(await rest.queryDisbursement(about(reference)), moved)
    assert.equal(url, `/v1/transfers/${reference}`)
    answer(200, { status: 'failed', code: 'declined' })
    const result = await rest.queryDisbursement(about(reference))
    assert.deepEqual(result, {
      outcome: 'refused',
      code: 'authorization_failed',
      message: 'The account cannot receive this payment.',
    })
    answer(404, { code: 'not_found' })
    assert.deepEqual(await rest.queryDisbursement(about(reference)), { outcome: 'missing' })
  })
})

describe('a refund', () => {
  const rails = [
    ['a bank', () => rest],
    ['an acquirer', () => acquirer],
  ] as const
  for (const [who, rail] of rails) {
    test(`by ${who} names the payment and no account`, async () => {
      let seen: IncomingMessage & { text: string } = undefined as never
      handle = (request, response) => {
        seen = request
        response.writeHead(202).end('{"status": "pending"}')
      }
      const order = refund()
      assert.deepEqual(await rail().refund(order), { outcome: 'accepted' })
      assert.deepEqual([seen.method, seen.url], ['PUT', `/v1/refunds/${order.reference}`])
      assert.equal(seen.headers.authorization, 'Bearer secret-key')
      assert.deepEqual(JSON.parse(seen.text), {
        amount: 1500,
        currency: 'SLE',
        originalReference: order.original.reference,
        description: 'Sorry',
        callbackUrl: order.callbackUrl,
      })
    })

    test(`by ${who} is queried by our reference: done, failed or missing`, async () => {
      let url: string | undefined
      const reference = randomUUID()
      handle = (request, response) => {
        url = request.url
        response.end('{"status": "done", "amount": 1500, "currency": "SLE", "transactionId": "T-1"}')
      }
      const moved = { outcome: 'done', amount: 1500n, currency: 'SLE', railTransaction: 'T-1' }
      assert.deepEqual(await rail().queryRefund(about(reference)), moved)
      assert.equal(url, `/v1/refunds/${reference}`)
      answer(200, { status: 'failed', code: 'declined' })
      assert.deepEqual(await rail().queryRefund(about(reference)), {
        outcome: 'refused',
        code: 'authorization_failed',
        message: 'The account cannot receive this payment.',
      })
      answer(404, { code: 'not_found' })
      assert.deepEqual(await rail().queryRefund(about(reference)), { outcome: 'missing' })
      answer(500, { code: 'not_found' })
      assert.equal((await rail().queryRefund(about(reference))).outcome, 'unknown')
    })
  }

  for (const [code, ours] of [
    ['original_missing', 'rejected'],
    ['insufficient_funds', 'fund_insufficient'],
    ['account_blocked', 'provider_account_blocked'],
    ['not_allowed', 'rejected'],
  ])
    test(`that the rail turns down with ${code} is refused as ${ours}`, async () => {
      answer(404, { code })
      const result = await rest.refund(refund())
      assert.deepEqual([result.outcome, 'code' in result && result.code], ['refused', ours])
    })

  for (const [what, handler] of [
    ['a code for final outcomes', replying(422, '{"code": "declined"}')],
    ['a known code with a 500', replying(500, '{"code": "original_missing"}')],
    ['a conflict', replying(409, '{"code": "reference_in_use"}')],
    ['an unknown path', replying(404, '{"code": "not_found"}')],
    ['garbage', replying(202, '<html>')],
    ['silence', () => {}],
    ['a dropped connection', (request) => request.socket.destroy()],
  ] as [string, Handler][])
    test(`answered with ${what} has an unknown outcome`, async () => {
      handle = handler
      assert.equal((await rest.refund(refund())).outcome, 'unknown')
    })
})

describe('an account', () => {
  const holder = { holderName: 'Aminata Kamara', active: true }

  test('is queried by its number, whatever characters it has', async () => {
    let url: string | undefined
    handle = (request, response) => {
      url = request.url
      response.end(JSON.stringify(holder))
    }
    const found = { outcome: 'found', holderName: 'Aminata Kamara', isActive: true }
    assert.deepEqual(await rest.verifyAccount('a/../b?'), found)
    assert.equal(url, '/v1/accounts/a%2F..%2Fb%3F')
  })

  test('is missing only if the rail reports it', async () => {
    answer(404, { code: 'account_missing' })
    assert.deepEqual(await rest.verifyAccount('0011223344'), { outcome: 'missing' })
    for (const [status, body] of [
      [404, {}],
      [404, { code: 'not_found' }],
      [500, { code: 'account_missing' }],
      [200, { ...holder, holderName: '' }],
      [200, { ...holder, holderName: ['Aminata'] }],
      [200, { ...holder, active: 'yes' }],
      [200, []],
    ] as const) {
      answer(status, body)
      assert.equal((await rest.verifyAccount('0011223344')).outcome, 'unknown', JSON.stringify(body))
    }
  })
})

function disbursement(): Disbursement {
  return {
    reference: randomUUID(),
    amount: 9007199254740991n,
    currency: 'SLE',
    payeeAccount: '0011223344',
    description: 'Wages',
    callbackUrl: 'https://pay.example/callbacks/payouts/abc',
    mayLeave: () => true,
  }
}

function refund(): RailRefund {
  return {
    reference: randomUUID(),
    amount: 1500n,
    currency: 'SLE',
    original: { reference: randomUUID(), railTransaction: 'T-0' },
    description: 'Sorry',
    callbackUrl: 'https://pay.example/callbacks/refunds/abc',
    mayLeave: () => true,
  }
}

function collection(): Collection {
  return {
    reference: randomUUID(),
    amount: 9007199254740991n,
    currency: 'SLE',
    payerAccount: '0011223344',
    description: 'Café “crème”',
    orderNumber: '123456789012',
    callbackUrl: 'https://pay.example/callbacks/payments/abc',
    returnUrl: 'https://pay.example/pay/abc/return?state=1',
    mayLeave: () => true,
  }
}

function replying(status: number, body: string): Handler {
  return (_request, response) => response.writeHead(status).end(body)
}

function answer(status: number, body: unknown): void {
  handle = replying(status, JSON.stringify(body))
}
