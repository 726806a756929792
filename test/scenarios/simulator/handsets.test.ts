import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { startTestApp, until } from '../../support/harness.ts'
import { createPayer } from '../../support/payer.ts'
import { startTestSimulator } from '../../support/simulator.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail }, settings: { LOG_LEVEL: 'fatal' } })
const merchant = await t.merchant()
after(() => t.close())

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
type HandsetResponse = { status: number; body: any }

async function postToHandsets(
  path: string,
  body: unknown,
  headers = {},
  url = `${t.baseUrl}/simulator`,
): Promise<HandsetResponse> {
  const answer = await fetch(`${url}/handsets/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  assert.ok(answer.status < 500, `${path} ${JSON.stringify(body)} answered ${answer.status}`)
  return { status: answer.status, body: await answer.json() }
}

const stateOf = async (number: string) =>
  (await postToHandsets('state', { numbers: [number] })).body.handsets[0]

/** Opens a prompt on this handset. */
async function ask(number: string, name = 'Rice') {
  await postToHandsets('mode', { number, mode: 'ask' })
  const lineItems = [{ name, price: { currency: 'SLE', value: 15_000 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name, lineItems })).body.result
  const before = (await stateOf(number)).prompts.length
  await createPayer(session.redirectUrl).pay('m17', number)
  const { prompts } = await until(async () => {
    const state = await stateOf(number)
    return state.prompts.length > before && state
  })
  return prompts[0]
}

test('POST /simulator/handsets/state: 200 for an unused number, which approves automatically and has nothing to show', async () => {
  const { status, body } = await postToHandsets('state', { numbers: ['+23276111222', '+233241234567'] })
  assert.equal(status, 200)
  assert.equal(body.time, rail.now().toISOString())
  assert.deepEqual(
    body.handsets,
    ['+23276111222', '+233241234567'].map((number) => ({
      number,
      mode: 'approve',
      prompts: [],
      notices: [],
    })),
  )
})

test('POST /simulator/handsets/answer: 200, and the prompt ends as decided; 404 the second time', async () => {
  const number = '+23276000020'
  for (const [answer, notice] of [
    ['approve', /^You paid Le 150\.00 for Test Shop: Cloth\. Transaction \d+\.$/],
    ['decline', /^Your payment of Le 150\.00 for Test Shop: Cloth failed: you declined it\.$/],
  ] as const) {
    const prompt = await ask(number, 'Cloth')
    const { reference, endTime, ...shown } = prompt
    assert.deepEqual(shown, { network: 'Orange Money', amount: 'Le 150.00', what: 'Test Shop: Cloth' })
    assert.ok(Date.parse(endTime) > rail.now().getTime())
    await rail.advance(1_000)
    assert.equal((await postToHandsets('answer', { number, reference, answer })).status, 200)
    await rail.advance(0)
    const { prompts, notices } = await stateOf(number)
    assert.deepEqual(prompts, [])
    assert.match(notices[0].text, notice)
    assert.deepEqual([notices[0].id, notices[0].isGood], [reference, answer === 'approve'])
    assert.equal(notices[0].time, rail.now().toISOString())
    assert.equal((await postToHandsets('answer', { number, reference, answer })).status, 404, 'it is gone')
  }
})

test('POST /simulator/handsets/state: 200 without a prompt left unanswered for a minute, and with a message why', async () => {
  const number = '+23276000021'
  await ask(number)
  await rail.advance(60_000)
  const { prompts, notices } = await stateOf(number)
  assert.deepEqual(prompts, [])
  assert.equal(
    notices[0].text,
    'Your payment of Le 150.00 for Test Shop: Rice failed: you did not answer in time.',
  )
})

test('POST /simulator/handsets/answer: 404 for the prompt of another handset', async () => {
  const [mine, theirs] = ['+23276000022', '+23276000023']
  const { reference } = await ask(theirs)
  assert.deepEqual((await stateOf(mine)).prompts, [])
  const stolen = await postToHandsets('answer', { number: mine, reference, answer: 'approve' })
  assert.deepEqual([stolen.status, stolen.body.error.reason], [404, 'not_found'])
  const unknown = { number: mine, reference: '00000000-0000-4000-8000-000000000000', answer: 'approve' }
  assert.equal((await postToHandsets('answer', unknown)).status, 404)
  assert.equal((await stateOf(theirs)).prompts.length, 1)
})

test('POST /simulator/handsets/state: 200 with messages about received money, by time; none about a failed payout', async () => {
  const number = '+23276000029'
  const payOut = async (payeeAccount: string, description: string) => {
    const reference = randomUUID()
    const more = { payeeAccount, description, amount: 250_00n, currency: 'SLE', mayLeave: () => true }
    const callbackUrl = `${t.baseUrl}/nobody`
    await t.app.parts.connectors.findConnector('m17', 'test')!.disburse!({ reference, callbackUrl, ...more })
    await rail.advance(1_000)
  }
  const { reference } = await ask(number)
  await postToHandsets('answer', { number, reference, answer: 'decline' })
  await rail.advance(1_000)
  await payOut(number, 'Wages of November')
  await payOut('+23276000001', 'To another')
  const { notices, prompts } = await stateOf(number)
  assert.match(notices[0].text, /^You received Le 250\.00: Wages of November\. Transaction \d+\.$/)
  assert.equal(notices[1].id, reference)
  assert.deepEqual([notices.length, prompts.length, notices[0].isGood], [2, 0, true])
  assert.deepEqual((await stateOf('+23276000001')).notices, [])
})

test('POST /simulator/handsets/state: 200 with ten messages, newest first', async () => {
  const number = '+23276000024'
  const references: string[] = []
  for (let i = 0; i < 11; i++) {
    const { reference } = await ask(number)
    references.unshift(reference)
    await postToHandsets('answer', { number, reference, answer: 'decline' })
    await rail.advance(1)
  }
  const { notices } = await stateOf(number)
  assert.deepEqual(
    notices.map(({ id }: { id: string }) => id),
    references.slice(0, 10),
  )
})

test('POST /simulator/handsets/phones: 200 for a number in the local notation of the network’s country', async () => {
  for (const [providerId, typed, number] of [
    ['m17', '076 123 456', '+23276123456'],
    ['m18', '+232 88 123456', '+23288123456'],
    ['mtn-gh', '024 123 4567', '+233241234567'],
  ])
    assert.deepEqual((await postToHandsets('phones', { providerId, number: typed })).body, {
      providerId,
      number,
    })
})

test('POST /simulator/handsets/…: 400 for an invalid number, prompt or code, or too much data; 415 for another content type', async () => {
  const number = '+23276000025'
  const reference = '00000000-0000-4000-8000-000000000000'
  const code = '*715*5773920187#'
  const phone = { providerId: 'm17', number }
  const numbers = Array.from({ length: 13 }, (_, i) => `+232760001${10 + i}`)
  const bad: [string, unknown][] = [
    ...['', '12', "'; drop table spaces", '+23276\u0000', '<b>', '٠٧٦١٢٣٤٥٦', '1'.repeat(33)].flatMap(
      (hostile): [string, unknown][] => [
        ['phones', { providerId: 'm17', number: hostile }],
        ['state', { numbers: [hostile] }],
        ['mode', { number: hostile, mode: 'ask' }],
        ['answer', { number: hostile, reference, answer: 'approve' }],
        ['dial', { ...phone, number: hostile, code }],
      ],
    ),
    ...['', 'slb001', 'card', 'nobody', '__proto__'].flatMap((providerId): [string, unknown][] => [
      ['phones', { providerId, number: '076123456' }],
      ['dial', { providerId, number, code }],
    ]),
    ['state', {}],
    ['state', { numbers: [] }],
    ['state', { numbers }],
    ['state', { numbers: [number, number] }],
    ['state', { numbers: number }],
    ['state', { numbers: [number], all: true }],
    ['mode', { number, mode: 'refuse' }],
    ['mode', { number }],
    ['answer', { number, reference: 'x', answer: 'approve' }],
    ['answer', { number, reference, answer: 'maybe' }],
    ...['', '715', '*715', '*7 15#', '076123456', '*a#', `*${'1'.repeat(60)}#`].map(
      (wrong): [string, unknown] => ['dial', { ...phone, code: wrong }],
    ),
    ['dial', { ...phone, code, sessionId: '../../admin' }],
    ['dial', { ...phone, code, inputs: Array(21).fill('1') }],
    ['dial', { ...phone, code, inputs: ['1'.repeat(161)] }],
    ['dial', { ...phone, code, inputs: ['1\n2'] }],
    ['dial', { ...phone, code, inputs: [{}] }],
    ...['phones', 'state', 'mode', 'answer', 'dial'].flatMap((path): [string, unknown][] =>
      ['', '[]', 'null', '7', '{', '{"number":'.repeat(1500)].map((body) => [path, body]),
    ),
  ]
  for (const [path, body] of bad) {
    const response = await postToHandsets(path, body)
    assert.equal(response.status, 400, `${path} ${JSON.stringify(body)}`)
    assert.equal(response.body.success, false)
  }
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', ''])
    for (const path of ['phones', 'state', 'mode', 'answer', 'dial'])
      assert.equal(
        (await postToHandsets(path, { number, mode: 'ask' }, { 'content-type': type })).status,
        415,
        type,
      )
  assert.equal((await stateOf(number)).mode, 'approve')
})

test('POST /simulator/handsets/…: 429 to an address that calls too often; state allows many pages', async () => {
  const limited = await startTestSimulator({ rateLimits: 'on' })
  const number = '+23276000026'
  const statuses = async (times: number, path: string, body: object) => {
    const responses = await Promise.all(
      Array.from({ length: times }, () => postToHandsets(path, body, {}, limited.url)),
    )
    return responses.map(({ status }) => status)
  }
  const acts = await statuses(11, 'mode', { number, mode: 'ask' })
  assert.deepEqual(acts.toSorted(), [...Array(10).fill(200), 429])
  const views = await statuses(61, 'state', { numbers: [number] })
  assert.deepEqual(views.toSorted(), [...Array(60).fill(200), 429])
  await limited.close()
})

/** Starts a mock of the service's USSD gateway, which speaks Africa's Talking's protocol, with scripted replies. */
async function startGateway() {
  const requests: { path: string; type: string; fields: Record<string, string> }[] = []
  let answer = { status: 200, body: 'END Done' as string | undefined }
  const server = createServer(async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)))
    requests.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', fields })
    if (answer.body === undefined) return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked: requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ussd/africastalking/the-secret`,
    answers: (body: string | undefined, status = 200) => {
      answer = { status, body }
    },
    close: () => server.close(),
  }
}

test('POST /simulator/handsets/dial: 200, dialled as an aggregator does, with all inputs so far, and without revealing the secret', async () => {
  const gateway = await startGateway()
  const simulator = await startTestSimulator({ gatewayUrl: gateway.url })
  const [number, code] = ['+23276000027', '*715*5773920187#']
  const dial = (more: object = {}) =>
    postToHandsets('dial', { providerId: 'm17', number, code, ...more }, {}, simulator.url)

  gateway.answers('CON Salone Fabrics\nLe 150.00\n1 Pay\n2 Cancel')
  const first = await dial()
  const { sessionId } = first.body
  assert.deepEqual(first.body, {
    sessionId,
    text: 'Salone Fabrics\nLe 150.00\n1 Pay\n2 Cancel',
    isEnd: false,
  })
  gateway.answers('END You will be asked for your PIN.')
  const last = await dial({ sessionId, inputs: ['1', '2*3'] })
  assert.deepEqual(last.body, { sessionId, text: 'You will be asked for your PIN.', isEnd: true })
  const fields = { sessionId, serviceCode: code, phoneNumber: number, networkCode: '61901' }
  assert.deepEqual(
    gateway.asked.map(({ fields }) => fields),
    [
      { ...fields, text: '' },
      { ...fields, text: '1*2*3' },
    ],
  )
  assert.match(gateway.asked[0]!.type, /^application\/x-www-form-urlencoded/)
  assert.notEqual((await dial()).body.sessionId, sessionId, 'each dial is its own session')

  await postToHandsets('dial', { providerId: 'mtn-gh', number, code }, {}, simulator.url)
  assert.equal(gateway.asked.at(-1)?.fields.networkCode, '62001', 'a phone dials from its own network')

  const problem = 'Network problem. Try again later.'
  for (const [body, status] of [
    ['<h1>the-secret</h1>', 200],
    ['CONTINUE', 200],
    ['', 200],
    ['END fine', 500],
    ['END elsewhere', 302],
    ['END '.padEnd(100_000, 'x'), 200],
    [undefined, 200],
  ] as const) {
    gateway.answers(body, status)
    const response = await dial()
    assert.deepEqual(
      [response.status, response.body.text, response.body.isEnd],
      [200, problem, true],
      body?.slice(0, 20),
    )
  }
  gateway.answers(`END ${'x'.repeat(500)}`)
  assert.equal((await dial()).body.text.length, 182, 'a message is cut to its maximum length')
  await simulator.close()
  gateway.close()
})

test('GET /simulator: 200 with no number but the first, no secrets, and no external resources', async () => {
  await ask('+23276000028')
  const page = await fetch(`${t.baseUrl}/simulator`)
  const html = await page.text()
  assert.equal(page.status, 200)
  assert.deepEqual(html.match(/\+\d{9,}/g), ['+23276123456'])
  assert.doesNotMatch(html, /ussd\/|https?:\/\/(?!www\.w3\.org)/)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const rule of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "connect-src 'self'",
  ])
    assert.ok(policy.includes(rule), rule)
  assert.doesNotMatch(policy, /unsafe|\*/)
  for (const [, file] of html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
    const asset = await fetch(t.baseUrl + file, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([asset.status, asset.headers.get('content-encoding')], [200, 'br'])
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
  }
})

test('simulator data is deleted after a week, and not before', async () => {
  const number = '+23276000031'
  const { db, simulator } = t.app.parts
  await ask(number)
  const setAge = async (ms: number) => {
    const at = new Date(rail.now().getTime() - ms)
    await db.pool.query('update simulator_collections set created_at = $2 where payer = $1', [
      number.slice(1),
      at,
    ])
    await db.pool.query('update simulator_handsets set set_at = $2 where msisdn = $1', [number.slice(1), at])
    await simulator.forget()
    const { prompts, mode } = await stateOf(number)
    const { rowCount: planned } = await db.pool.query(
      `select from simulator_outcomes o where not exists (
         select from simulator_collections k where k.provider_id = o.provider_id and k.reference = o.reference)`,
    )
    return { prompts: prompts.length, mode, planned }
  }
  const week = 7 * 86_400_000
  assert.deepEqual(await setAge(week), { prompts: 1, mode: 'ask', planned: 0 })
  assert.deepEqual(await setAge(week + 1), { prompts: 0, mode: 'approve', planned: 0 })
})

test('POST /simulator/handsets/mode: 429 if too many handsets are set to ask; a handset that is already set can be set again', async () => {
  const small = await startTestSimulator()
  await small.db.pool.query(
    `insert into simulator_handsets (msisdn, mode, set_at) select '2327' || n, 'ask', now() from generate_series(1, 9999) n`,
  )
  const mode = async (number: string, mode: string) =>
    (await postToHandsets('mode', { number, mode }, {}, small.url)).status
  const [first, second] = ['+23276000032', '+23276000033'] as const
  assert.deepEqual(
    [await mode(first, 'ask'), await mode(second, 'ask'), await mode(first, 'ask')],
    [200, 429, 200],
  )
  assert.deepEqual([await mode(first, 'approve'), await mode(second, 'ask')], [200, 200])
  await small.close()
})

test('a collection from a handset with 50 prompts fails immediately', async () => {
  const number = '+23276000034'
  await postToHandsets('mode', { number, mode: 'ask' })
  const added = await t.app.parts.db.pool.query(
    `insert into simulator_collections (provider_id, protocol, reference, payer, amount, amount_minor, currency,
       external_id, payer_message, payee_note, asks_until, created_at)
     select 'm17', 'mtn-momo', gen_random_uuid(), $1, '1.00', 100, 'SLE', 'x', 'x', 'x', $2::timestamptz, $2::timestamptz - interval '1 minute'
     from generate_series(1, 50)`,
    [number.slice(1), new Date(rail.now().getTime() + 60_000)],
  )
  assert.equal(added.rowCount, 50)
  const lineItems = [{ name: 'Rice', price: { currency: 'SLE', value: 1 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Rice', lineItems })).body
    .result
  await createPayer(session.redirectUrl).pay('m17', number)
  const payment = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  await until(async () => {
    await rail.advance(10)
    return (await payment()).status === 'failed'
  })
  assert.equal((await payment()).failureDetail.code, 'provider_account_quota_exhausted')
})
