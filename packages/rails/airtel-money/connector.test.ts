import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import {
  aboutAirtel,
  airtelCollection,
  airtelSecrets,
  type Handler,
  startAirtel,
  statusOf,
} from './testing.ts'

const rail = await startAirtel()
const { onToken } = rail
let airtel: ReturnType<typeof rail.connect>
after(() => rail.close())
beforeEach(() => {
  rail.tokens.length = 0
  rail.onToken = onToken
  airtel = rail.connect()
})

const enquiryResponse = {
  data: { transaction: { id: 'x', status: 'SUCCESS' } },
  status: statusOf('DP00800001006'),
}
const accepted = (id: string) => ({ ...enquiryResponse, data: { transaction: { id, status: 'SUCCESS' } } })
const inWords = (result: { outcome: string; code?: string }) => [result.outcome, result.code]

describe('a token', () => {
  test('is requested with JSON and used for three quarters of its three minutes, given as a number or as text', async () => {
    rail.answer(200, {})
    await airtel.queryCollection(aboutAirtel(randomUUID()))
    await airtel.queryCollection(aboutAirtel(randomUUID()))
    assert.deepEqual(
      rail.tokens.map((text) => JSON.parse(text)),
      [{ client_id: 'secret-client', client_secret: 'secret-of-client', grant_type: 'client_credentials' }],
    )
  })

  test('that has expired is replaced once, and the call is repeated', async () => {
    const used: (string | undefined)[] = []
    const order = airtelCollection()
    rail.on = ({ headers }, response) => {
      used.push(headers.authorization)
      const isOld = headers.authorization === 'Bearer token-1'
      const body = isOld ? { error: 'invalid_token' } : accepted(order.reference)
      response.writeHead(isOld ? 401 : 200).end(JSON.stringify(body))
    }
    assert.deepEqual(await airtel.collect(order), { outcome: 'accepted' })
    assert.deepEqual(used, ['Bearer token-1', 'Bearer token-2'])
  })

  for (const [what, handler] of [
    [
      'is refused',
      (_request, response) =>
        response.writeHead(400).end('{"error":"invalid_client","error_description":"secret-of-client"}'),
    ],
    ['is garbage', (_request, response) => response.end('<html>')],
    ['never comes', () => {}],
  ] as [string, Handler][])
    test(`that ${what} leaves the outcome unknown, and nothing is sent`, async () => {
      rail.onToken = handler
      rail.on = () => assert.fail('nothing may be sent without a token')
      const result = await airtel.collect(airtelCollection())
      assert(result.outcome === 'unknown')
      assert.match(result.why, /^not sent because no token could be obtained: /)
      assert.doesNotMatch(result.why, /secret/)
    })
})

describe('a collection', () => {
  test('contains everything that Airtel needs: national number, amount in major units, our reference and the order number', async () => {
    const order = airtelCollection()
    const seeing = rail.seen(200, accepted(order.reference))
    assert.deepEqual(await airtel.collect(order), { outcome: 'accepted' })
    const { method, url, headers, text } = await seeing
    assert.deepEqual([method, url], ['POST', '/merchant/v1/payments/'])
    assert.deepEqual([headers['x-country'], headers['x-currency']], ['UG', 'UGX'])
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-signature'], undefined)
    assert.deepEqual(JSON.parse(text), {
      reference: '123456789012',
      subscriber: { country: 'UG', currency: 'UGX', msisdn: '752604392' },
      transaction: { amount: 1000, country: 'UG', currency: 'UGX', id: order.reference },
    })
  })

  for (const [amount, currency, written] of [
    [1_000n, 'UGX', '1000'],
    [9_007_199_254_740_991n, 'UGX', '9007199254740991'],
    [4_950n, 'ZMW', '49.5'],
    [4_900n, 'ZMW', '49'],
    [10_000n, 'KES', '100'],
    [5n, 'KES', '0.05'],
    [9_007_199_254_740_993n, 'KES', '90071992547409.93'],
  ] as const)
    test(`of ${amount} ${currency} is written as ${written}, a JSON number`, async () => {
      const seeing = rail.seen(200, enquiryResponse)
      await rail.connect({ currencies: [currency] }).collect(airtelCollection({ amount, currency }))
      assert.match((await seeing).text, new RegExp(`"amount":${written},`))
    })

  test('from a foreign number is refused before it is sent, because the number could belong to somebody else in Airtel’s country', async () => {
    rail.on = () => assert.fail('it was sent')
    for (const payerAccount of ['+254752604392', '752604392', null])
      assert.deepEqual(inWords(await airtel.collect(airtelCollection({ payerAccount }))), [
        'refused',
        'rejected',
      ])
  })

  test('is not sent after the fence', async () => {
    rail.on = () => assert.fail('it was sent')
    const result = await airtel.collect(airtelCollection({ mayLeave: () => false }))
    assert(result.outcome === 'unknown' && result.isTooLate)
  })

  test('that Airtel already has is accepted', async () => {
    const status = statusOf('DP00800001000', {
      code: '500',
      result_code: 'ESB000041',
      message: 'External Transaction ID already exists.',
      success: false,
    })
    rail.answer(200, { data: {}, status })
    assert.deepEqual(await airtel.collect(airtelCollection()), { outcome: 'accepted' })
  })

  const refusals: [status: number, body: unknown, code: string][] = [
    [
      400,
      { status: { response_code: 'DP00800001005', message: 'Msisdn Not Found' } },
      'provider_account_missing',
    ],
    [400, { status: { response_code: 'DP00800001004' } }, 'rejected'],
    [400, { status: { response_code: 'DP00800001026' } }, 'rejected'],
    ...['ESB000033', 'ESB000034', 'ESB000035', 'ESB000036', 'ESB000039'].map(
      (result_code): [number, unknown, string] => [200, { status: { result_code } }, 'rejected'],
    ),
    ...['001', '003', '005', '006', '007', '112', '119'].map((digits): [number, unknown, string] => [
      400,
      { status_code: `ROUTER${digits}` },
      'rejected',
    ]),
  ]
  for (const [status, body, code] of refusals)
    test(`turned down with ${JSON.stringify(body)} is refused as ${code}`, async () => {
      rail.answer(status, body)
      const result = await airtel.collect(airtelCollection())
      assert(result.outcome === 'refused')
      assert.equal(result.code, code)
      assert.match(result.message, /^[A-Z][a-z ]+\.$/)
    })

  const unclear: [string, number, unknown][] = [
    ['the code for an unknown number without its text', 400, { status: { response_code: 'DP00800001005' } }],
    ...['DP00800001002', 'DP00800001003', 'DP00800001007', 'DP00800001010', 'DP00800001024'].map(
      (response_code): [string, number, unknown] => [
        `${response_code}, for which the documentation gives two explanations`,
        400,
        { status: { response_code } },
      ],
    ),
    ...['ESB000001', 'ESB000004', 'ESB000008', 'ROUTER117', '0000900'].map(
      (code): [string, number, unknown] => [
        `${code}, an error that may come later`,
        200,
        { status: { code, response_code: 'DP00800001004' } },
      ],
    ),
    ...[401, 408, 429, 500, 502, 503, 504].map((status): [string, number, unknown] => [
      `a ${status} with a refusal code`,
      status,
      { status: { response_code: 'DP00800001004' } },
    ]),
    ['another transaction', 200, enquiryResponse],
    [
      'a started transaction with a refusal code',
      200,
      { ...enquiryResponse, status: statusOf('DP00800001004') },
    ],
    ['an empty 200', 200, {}],
    ['garbage', 400, '<html>'],
    ['a list', 200, [enquiryResponse]],
    ['a redirect', 302, ''],
  ]
  for (const [what, status, body] of unclear)
    test(`answered with ${what} has an unknown outcome`, async () => {
      rail.answer(status, body)
      const result = await airtel.collect(airtelCollection())
      assert(result.outcome === 'unknown')
      assert.match(result.why, /^\d{3}( (DP|ESB|ROUTER)?\d+)*$/)
    })

  for (const [what, handler] of [
    ['silence', () => {}],
    ['a dropped connection', (request) => request.socket.destroy()],
  ] as [string, Handler][])
    test(`answered with ${what} has an unknown outcome`, async () => {
      rail.on = handler
      assert.equal((await airtel.collect(airtelCollection())).outcome, 'unknown')
    })
})

describe('an enquiry', () => {
  const id = '3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f'
  const ended = (status: string, response_code: string, more: object = {}) => ({
    data: { transaction: { airtel_money_id: 'MP210603.1234.L06941', id, message: 'm', status, ...more } },
    status: statusOf(response_code),
  })

  test('uses our id', async () => {
    const seeing = rail.seen(200, {})
    await airtel.queryCollection(aboutAirtel(id))
    const { method, url } = await seeing
    assert.deepEqual([method, url], ['GET', `/standard/v1/payments/${id}`])
  })

  test('reports done without an amount', async () => {
    rail.answer(200, ended('TS', 'DP00800001001'))
    assert.deepEqual(await airtel.queryCollection(aboutAirtel(id)), {
      outcome: 'done',
      amount: undefined,
      currency: undefined,
      isAmountUnstated: true,
      railTransaction: 'MP210603.1234.L06941',
    })
  })

  test('uses an amount if Airtel states one', async () => {
    rail.answer(200, ended('TS', 'DP00800001001', { amount: 900, currency: 'UGX' }))
    const result = await airtel.queryCollection(aboutAirtel(id))
    assert(result.outcome === 'done')
    assert.deepEqual([result.amount, result.currency], [900n, 'UGX'])
    for (const more of [{ amount: 900 }, { currency: 'UGX' }, { amount: '1e3', currency: 'UGX' }]) {
      rail.answer(200, ended('TS', 'DP00800001001', more))
      assert.equal((await airtel.queryCollection(aboutAirtel(id))).outcome, 'unknown')
    }
  })

  const failures: [string, string, string][] = [
    ['TF', 'DP00800001002', 'authorization_failed'],
    ['TF', 'DP00800001003', 'provider_account_quota_exhausted'],
    ['TF', 'DP00800001004', 'rejected'],
    ['TF', 'DP00800001005', 'authorization_failed'],
    ['TF', 'DP00800001007', 'fund_insufficient'],
    ['TF', 'DP00800001008', 'authorization_failed'],
    ['TF', 'DP00800001009', 'authorization_failed'],
    ['TF', 'DP00800001010', 'rejected'],
    ['TF', 'DP00800001029', 'authorization_failed'],
    ['TF', 'DP00800009999', 'unknown'],
    ['TE', 'DP00800001001', 'authorization_failed'],
  ]
  for (const [status, code, ours] of failures)
    test(`reads ${status} with ${code} as ${ours}`, async () => {
      rail.answer(200, ended(status, code))
      assert.deepEqual(inWords(await airtel.queryCollection(aboutAirtel(id))), ['refused', ours])
    })

  for (const [status, code] of [
    ['TIP', 'DP00800001006'],
    ['TA', 'DP00800001001'],
    ['TF', 'DP00800001006'],
    ['TF', 'DP00800001024'],
  ] as const)
    test(`is pending at ${status} with ${code}`, async () => {
      rail.answer(200, ended(status, code))
      assert.deepEqual(await airtel.queryCollection(aboutAirtel(id)), { outcome: 'pending' })
    })

  test('reports missing only for Airtel’s own codes', async () => {
    for (const code of [{ result_code: 'ESB000045' }, { response_code: 'DP00800001025' }])
      for (const status of [200, 400, 404]) {
        rail.answer(status, { status: code })
        assert.deepEqual(await airtel.queryCollection(aboutAirtel(id)), { outcome: 'missing' })
      }
    for (const [status, body] of [
      [404, {}],
      [404, '<html>'],
      [500, { status: { result_code: 'ESB000045' } }],
    ] as const) {
      rail.answer(status, body)
      assert.equal((await airtel.queryCollection(aboutAirtel(id))).outcome, 'unknown')
    }
  })

  test('recognizes the code of an expired prompt without a transaction', async () => {
    rail.answer(200, { status: { response_code: 'DP00800001029' } })
    assert.deepEqual(inWords(await airtel.queryCollection(aboutAirtel(id))), [
      'refused',
      'authorization_failed',
    ])
  })

  for (const [what, status, body] of [
    ['a success contradicted by its code', 200, ended('TS', 'DP00800001007')],
    ['a reversal made in the portal', 200, ended('TR', 'DP00800001001')],
    ['SUCCESS, which an enquiry never returns', 200, ended('SUCCESS', 'DP00800001001')],
    ['another transaction', 200, ended('TS', 'DP00800001001', { id: randomUUID() })],
    ['a success with a 400', 400, ended('TS', 'DP00800001001')],
    ['a failure with a 500', 500, ended('TF', 'DP00800001007')],
    ['a code without a status', 200, { status: { response_code: 'DP00800001007' } }],
    ['nothing', 200, 'null'],
  ] as const)
    test(`answered with ${what} is unknown`, async () => {
      rail.answer(status, body)
      assert.equal((await airtel.queryCollection(aboutAirtel(id))).outcome, 'unknown')
    })

  test('starts after a minute, and missing is trusted after three', () => {
    const { firstQueryMs, missingAfterMs, longestCallMs } = airtel
    assert.deepEqual([firstQueryMs, missingAfterMs, longestCallMs], [60_000, 180_000, 16 * 1_000])
  })
})

describe('an account holder', () => {
  const user = {
    first_name: 'Aminata',
    last_name: 'Kamara',
    grade: 'SUBS',
    is_barred: false,
    is_pin_set: true,
  }

  test('is looked up by the number with its country code, and is active unless barred', async () => {
    const seeing = rail.seen(200, { data: user })
    const holder = { outcome: 'found', holderName: 'Aminata Kamara', isActive: true }
    assert.deepEqual(await airtel.verifyAccount('+256752604392'), holder)
    assert.equal((await seeing).url, '/standard/v1/users/256752604392')
    rail.answer(200, { data: { ...user, is_barred: true } })
    assert.deepEqual(await airtel.verifyAccount('+256752604392'), { ...holder, isActive: false })
  })

  test('is missing only if Airtel’s own message says so', async () => {
    rail.answer(400, { status: { message: 'User not found' } })
    assert.deepEqual(await airtel.verifyAccount('+256752604392'), { outcome: 'missing' })
    for (const [status, body] of [
      [404, {}],
      [404, { status: { message: 'Resource not found' } }],
      [200, { data: { first_name: 'A' } }],
      [500, { status: { message: 'User not found' } }],
    ] as const) {
      rail.answer(status, body)
      assert.equal((await airtel.verifyAccount('+256752604392')).outcome, 'unknown')
    }
  })
})

test('balances with commas are read, one for each currency', async () => {
  const congo = rail.connect({ country: 'CD', currencies: ['CDF', 'USD'] })
  rail.on = ({ headers }, response) => {
    const currency = headers['x-currency']
    response.end(JSON.stringify({ data: { balance: currency === 'USD' ? '12.5' : '37,600.00', currency } }))
  }
  assert.deepEqual(await congo.balances(), [
    { name: 'Airtel Money CDF', currency: 'CDF', amount: 3_760_000n },
    { name: 'Airtel Money USD', currency: 'USD', amount: 1_250n },
  ])
  for (const data of [
    { balance: '37,60.00', currency: 'UGX' },
    { balance: '1', currency: 'KES' },
    { balance: '-1', currency: 'UGX' },
    {},
  ]) {
    rail.answer(200, { data })
    const read = await airtel.balances()
    assert('outcome' in read && read.outcome === 'unknown')
  }
})

test('collections are refunded as payouts, because Airtel’s refunds do not contain our id', () => {
  assert.deepEqual([airtel.refund, airtel.queryRefund], [undefined, undefined])
  assert.equal(typeof airtel.disburse, 'function')
})

test('no response makes us reveal a secret', async () => {
  rail.answer(400, { status: { message: Object.values(airtelSecrets).join(), response_code: 'secret' } })
  const outcomes = [
    await airtel.collect(airtelCollection()),
    await airtel.queryCollection(aboutAirtel(randomUUID())),
    await airtel.verifyAccount('+256752604392'),
  ]
  assert.doesNotMatch(JSON.stringify(outcomes), /secret|73519/)
  const { pin } = airtelSecrets
  rail.answer(400, { status: { code: pin, response_code: pin, result_code: pin }, status_code: pin })
  assert.doesNotMatch(JSON.stringify(await airtel.collect(airtelCollection())), /73519/)
})
