import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Collection, type Connector, createPeer, type RailOutcome } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { startTestSimulator, type TestSimulator } from '../../../../test/support/simulator.ts'
import { sql } from '../../../server/src/platform/db/sql.ts'
import { createAcquirer } from '../../acquirer/connector.ts'
import { createRest } from '../connector.ts'
import type { Flow } from '../settings.ts'
import { railKey } from '../test-keys.ts'

let rail: TestSimulator
const open: Connector[] = []
before(async () => {
  rail = await startTestSimulator()
})
after(async () => {
  await Promise.all(open.map((connector) => connector.close()))
  await rail.close()
})
afterEach(() => {
  rail.callbacks.length = 0
})

type Moment = { ms: number; outcome: string; callbacks: number }
const at = (ms: number, outcome: string, callbacks: number): Moment => ({ ms, outcome, callbacks })
const paid = 'done'

/** The outcomes by the last three digits of an account, from the prompt or the approval on the page. */
const endings: [string, Moment[]][] = [
  ['456', [at(299, 'pending', 0), at(300, paid, 1), at(60_000, paid, 1)]],
  ['001', [at(299, 'pending', 0), at(300, 'fund_insufficient', 1)]],
  ['002', [at(300, 'authorization_failed', 1)]],
  ['003', [at(59_999, 'pending', 0), at(60_000, 'authorization_failed', 1)]],
  ['004', [at(29_999, 'pending', 0), at(30_000, paid, 1)]],
  ['005', [at(300, paid, 3), at(60_000, paid, 3)]],
  ['006', [at(300, paid, 0), at(60_000, paid, 0)]],
  ['009', [at(300, 'provider_account_blocked', 1)]],
  ['010', [at(300, 'provider_account_missing', 1)]],
  ['011', [at(300, 'provider_account_quota_exhausted', 1)]],
  ['012', [at(300, 'authorization_failed', 1), at(5_299, 'authorization_failed', 1), at(5_300, paid, 2)]],
]

async function follow(connector: Connector, reference: string, moments: Moment[]) {
  let passedMs = 0
  for (const { ms, outcome, callbacks } of moments) {
    await rail.clock.advance(ms - passedMs)
    passedMs = ms
    assert.equal(codeOrOutcome(await connector.queryCollection(about(reference))), outcome, `after ${ms} ms`)
    assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
    assert.equal((await movements(reference)).length, outcome === paid ? 1 : 0)
  }
}

for (const [who, providerId] of [
  ['bank', 'slb001'],
  ['wallet', 'dw001'],
] as const) {
  describe(`a ${who} that prompts the payer`, () => {
    for (const [digits, moments] of endings)
      test(`…${digits}`, async () => {
        const connector = rest(providerId, 'push')
        const requested = collection({ payerAccount: `0011223${digits}` })
        const { outcome, ...more } = await connector.collect(requested)
        assert.equal(outcome, 'accepted')
        // A slow wallet tells the payer what to dial.
        assert.deepEqual(Object.keys(more), digits === '004' ? ['guidance'] : [])
        await follow(connector, requested.reference, moments)
      })

    test('…007: the response to the submit is lost, but the money moves', async () => {
      const connector = rest(providerId, 'push')
      const requested = collection({ payerAccount: '0011223007' })
      assert.equal((await connector.collect(requested)).outcome, 'unknown')
      await follow(connector, requested.reference, [at(0, 'pending', 0), at(300, paid, 1)])
      assert.deepEqual(
        await connector.collect(requested),
        { outcome: 'accepted' },
        'the rail has it when resubmitted',
      )
    })
  })

  describe(`a ${who} with its own page`, () => {
    for (const [digits, moments] of endings)
      test(`…${digits}, after the approval`, async () => {
        const connector = rest(providerId, 'redirect')
        const requested = collection({ payerAccount: `0011223${digits}` })
        const result = await connector.collect(requested)
        assert(result.outcome === 'accepted' && result.redirectUrl)
        await rail.clock.advance(10_000)
        assert.deepEqual(await connector.queryCollection(about(requested.reference)), {
          outcome: 'pending',
          redirectUrl: result.redirectUrl,
        })
        const back = await answer(result.redirectUrl, { answer: 'approve' })
        assert.deepEqual([back.status, back.headers.get('location')], [303, requested.returnUrl])
        await follow(connector, requested.reference, moments)
      })

    test('…007: the response is lost, the money moves, and until then a query returns the page', async () => {
      const connector = rest(providerId, 'redirect')
      const requested = collection({ payerAccount: '0011223007' })
      assert.equal((await connector.collect(requested)).outcome, 'unknown')
      const result = await connector.queryCollection(about(requested.reference))
      assert(result.outcome === 'pending' && result.redirectUrl)
      await follow(connector, requested.reference, [at(300, paid, 1)])
    })
  })

  for (const flow of ['push', 'redirect'] as const)
    test(`…008 at a ${who}, ${flow}: the submit fails and nothing is stored`, async () => {
      const connector = rest(providerId, flow)
      const requested = collection({ payerAccount: '0011223008' })
      assert.equal((await connector.collect(requested)).outcome, 'unknown')
      await rail.clock.advance(60_000)
      assert.deepEqual(await connector.queryCollection(about(requested.reference)), { outcome: 'missing' })
    })
}

describe('the page of a bank', () => {
  const page = async () => {
    const connector = rest('slb004', 'redirect')
    const requested = collection({ payerAccount: '0011223344', description: '<b>Cup</b> & saucer' })
    const result = await connector.collect(requested)
    assert(result.outcome === 'accepted' && result.redirectUrl)
    const word = async () => codeOrOutcome(await connector.queryCollection(about(requested.reference)))
    return { url: result.redirectUrl, asked: requested, word }
  }

  test('shows the payment, escaped, and loads no external resources', async () => {
    const { url } = await page()
    const shown = await fetch(local(url))
    const text = await shown.text()
    assert.equal(shown.status, 200)
    assert.match(shown.headers.get('content-security-policy') ?? '', /^default-src 'none';/)
    assert.match(text, /&lt;b&gt;Cup&lt;\/b&gt; &amp; saucer/)
    assert.match(text, /Le 15\.00/)
    assert.doesNotMatch(text, /0011223344|<script|src=/)
  })

  test('declines, cancels, and accepts only the first answer', async () => {
    for (const [choice, code] of [
      ['decline', 'authorization_failed'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { url, word } = await page()
      await answer(url, { answer: choice })
      await answer(url, { answer: 'approve' })
      await rail.clock.advance(60_000)
      assert.equal(await word(), code)
    }
  })

  test('waits for fifteen minutes, even if the payer leaves and returns', async () => {
    const { url, word } = await page()
    await rail.clock.advance(14 * 60_000)
    assert.equal(await word(), 'pending')
    assert.match(await (await fetch(local(url))).text(), /Log in/)
    await rail.clock.advance(60_000)
    assert.equal(await word(), 'authorization_failed')
    assert.doesNotMatch(await (await fetch(local(url))).text(), /Log in/)
    await answer(url, { answer: 'approve' })
    await rail.clock.advance(60_000)
    assert.equal(await word(), 'authorization_failed')
  })

  test('cannot be found without its reference', async () => {
    const { url } = await page()
    for (const other of [
      url.replace(/[^/]+$/, randomUUID()),
      url.replace('slb004', 'slb001'),
      url.replace(/[^/]+$/, 'x'),
    ])
      assert.equal((await fetch(local(other))).status, 404)
    assert.equal((await answer(url, { answer: 'anything' })).status, 400)
  })
})

describe('a card', () => {
  async function session() {
    const connector = acquirer()
    const requested = collection({ payerAccount: null })
    const result = await connector.collect(requested)
    assert(result.outcome === 'accepted' && result.redirectUrl)
    return {
      connector,
      asked: requested,
      url: result.redirectUrl,
      look: () => connector.queryCollection(about(requested.reference)),
    }
  }

  for (const [scheme, last4] of [
    ['visa', '4242'],
    ['mastercard', '4444'],
    ['verve', '5556'],
  ] as const)
    test(`of ${scheme} pays, and its scheme, last digits and token are reported`, async () => {
      const tokens = new Set<string>()
      for (const _ of [1, 2]) {
        const { asked, url, look } = await session()
        assert.deepEqual(await look(), { outcome: 'pending', redirectUrl: url })
        await answer(url, { answer: 'approve', card: scheme })
        await rail.clock.advance(300)
        const result = await look()
        assert(result.outcome === 'done' && result.card)
        const { token, ...card } = result.card
        assert.deepEqual([result.amount, result.currency, card], [asked.amount, 'SLE', { scheme, last4 }])
        tokens.add(token)
      }
      assert.equal(tokens.size, 1, 'the same card has the same token')
    })

  for (const [ending, moments] of endings)
    test(`…${ending} on the acquirer’s page`, async () => {
      const { connector, asked, url } = await session()
      await answer(url, { answer: 'approve', card: 'visa', ending })
      await follow(connector, asked.reference, moments)
    })

  test('with 3-D Secure pays after any six digits but 000000', async () => {
    const challenge = { answer: 'challenge', card: 'visa', ending: '' }
    const confirm = (code: string) => ({ ...challenge, answer: 'confirm', code })
    const { url, look } = await session()
    assert.match(await (await answer(url, challenge)).text(), /3-D Secure/)
    assert.match(await (await answer(url, confirm('12'))).text(), /six digits/)
    assert.equal((await look()).outcome, 'pending')
    assert.equal((await answer(url, confirm('123456'))).status, 303)
    await rail.clock.advance(300)
    assert.equal((await look()).outcome, 'done')

    const wrong = await session()
    await answer(wrong.url, confirm('000000'))
    await rail.clock.advance(300)
    assert.equal(codeOrOutcome(await wrong.look()), 'authorization_failed')
  })

  test('that is declined or cancelled does not pay', async () => {
    for (const [choice, code] of [
      ['decline', 'authorization_failed'],
      ['cancel', 'cancelled'],
    ] as const) {
      const { url, look } = await session()
      await answer(url, { answer: choice })
      await rail.clock.advance(1)
      assert.equal(codeOrOutcome(await look()), code)
    }
  })
})

describe('requests are validated', () => {
  const body = {
    flow: 'push',
    amount: 1500,
    currency: 'SLE',
    payer: { account: '0011223344' },
    description: 'Cup',
    orderNumber: '1',
    callbackUrl: '',
    returnUrl: null,
  }
  const put = (path: string, changes: object, key = railKey(rail.seals)) =>
    fetch(`${rail.url}/rest/${path}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ ...body, callbackUrl: rail.callbackUrl, ...changes }),
    })
  const issues: [string, string, object, number, string, string?][] = [
    ['a wrong key', 'slb001', {}, 401, 'key_invalid', 'wrong'],
    ['no such rail', 'm17', {}, 404, 'no_such_rail'],
    ['another currency', 'slb001', { currency: 'EUR' }, 422, 'currency_not_supported'],
    ['an amount of zero', 'slb001', { amount: 0 }, 400, 'request_invalid'],
    ['text for an amount', 'slb001', { amount: '15.00' }, 400, 'request_invalid'],
    ['an unknown field', 'slb001', { card: '4242' }, 400, 'request_invalid'],
    ['a redirect without a return URL', 'slb001', { flow: 'redirect' }, 400, 'request_invalid'],
    [
      'a callback URL on another host',
      'slb001',
      { callbackUrl: 'http://169.254.169.254/' },
      400,
      'address_not_registered',
    ],
  ]
  for (const [what, providerId, changes, status, code, key] of issues)
    test(`${what}: ${code}`, async () => {
      const response = await put(`${providerId}/collections/${randomUUID()}`, changes, key)
      assert.deepEqual([response.status, await response.json()], [status, { code }])
    })

  test('a reference is for one request; repeating the request returns the same response, and reusing the reference for another is a conflict', async () => {
    const path = `dw001/collections/${randomUUID()}`
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(path, {})))
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 202),
    )
    assert.equal((await put(path, { amount: 1501 })).status, 409)
    await rail.clock.advance(300)
    assert.equal((await movements(path.split('/').at(-1)!)).length, 1)
  })
})

test('a callback contains the same document as a query, and is sent with POST', async () => {
  const connector = rest('dw001', 'push')
  const requested = collection({})
  await connector.collect(requested)
  await rail.clock.advance(300)
  const [{ method, body } = { method: '', body: '{}' }] = rail.callbacks
  const { transactionId, ...document } = JSON.parse(body)
  assert.equal(method, 'POST')
  assert.match(transactionId, /^[0-9]{10}$/)
  assert.deepEqual(document, {
    reference: requested.reference,
    amount: 1500,
    currency: 'SLE',
    status: 'done',
  })
})

const settings = (protocol: string, providerId: string) => ({
  baseUrl: `${rail.url}/${protocol}/${providerId}`,
  key: railKey(rail.seals),
  pageOrigin: new URL(rail.callbackUrl).origin,
  timeoutMs: 10_000,
})

function rest(providerId: string, flow: Flow): Connector {
  const connector = createRest({ ...settings('rest', providerId), flow }, createPeer(20))
  open.push(connector)
  return connector
}

function acquirer(): Connector {
  const connector = createAcquirer(settings('acquirer', 'card'), createPeer(20))
  open.push(connector)
  return connector
}

function collection(changes: Partial<Collection>): Collection {
  return {
    reference: randomUUID(),
    amount: 1500n,
    currency: 'SLE',
    payerAccount: '0011223344',
    description: 'Two cups',
    orderNumber: '000000000001',
    callbackUrl: `${rail.callbackUrl}/1`,
    returnUrl: `${rail.callbackUrl}/back?state=1`,
    mayLeave: () => true,
    ...changes,
  }
}

const codeOrOutcome = (result: RailOutcome) => (result.outcome === 'refused' ? result.code : result.outcome)

/** Adjusts a page's URL: the simulator builds it with the service's address, which is different here. */
const local = (pageUrl: string) => new URL(rail.url).origin + new URL(pageUrl).pathname

const answer = (pageUrl: string, fields: Record<string, string>) =>
  fetch(local(pageUrl), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

function movements(reference: string) {
  // every space: rails know nothing about Spaces
  return rail.db.query(sql`
    select amount_minor from simulator_collections where reference = ${reference} and moved_at is not null`)
}
