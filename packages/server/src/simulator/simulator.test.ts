import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Collection, type Connector, createPeer } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import {
  answerPrompt,
  promptsOf,
  setHandsetMode,
  startTestSimulator,
  type TestSimulator,
} from '../../../../test/support/simulator.ts'
import { createMtnMomo } from '../../../rails/mtn-momo/connector.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from '../../../rails/mtn-momo/test-credentials.ts'
import { sql } from '../platform/db/sql.ts'

let rail: TestSimulator
let mtn: Connector

before(async () => {
  rail = await startTestSimulator()
  mtn = connect()
})
after(async () => {
  await mtn.close()
  await rail.close()
})
afterEach(() => {
  rail.callbacks.length = 0
})

describe('a payer’s number determines the outcome', () => {
  const paid = 'done'
  const outcomes: [string, string, { ms: number; outcome: string; callbacks: number }[]][] = [
    ['456', 'approved after 300 ms', [at(299, 'pending', 0), at(300, paid, 1), at(60_000, paid, 1)]],
    ['001', 'not enough money', [at(299, 'pending', 0), at(300, 'fund_insufficient', 1)]],
    ['002', 'declined', [at(300, 'authorization_failed', 1)]],
    ['003', 'no answer', [at(59_999, 'pending', 0), at(60_000, 'authorization_failed', 1)]],
    ['004', 'reported after 30 s', [at(29_999, 'pending', 0), at(30_000, paid, 1)]],
    ['005', 'reported three times', [at(300, paid, 3), at(60_000, paid, 3)]],
    ['006', 'never reported', [at(300, paid, 0), at(60_000, paid, 0)]],
    ['009', 'blocked', [at(300, 'provider_account_blocked', 1)]],
    ['010', 'missing', [at(300, 'provider_account_missing', 1)]],
    ['011', 'over its limit', [at(300, 'provider_account_quota_exhausted', 1)]],
    [
      '012',
      'reported failed, later successful',
      [at(300, 'authorization_failed', 1), at(5_299, 'authorization_failed', 1), at(5_300, paid, 2)],
    ],
  ]
  for (const [digits, what, moments] of outcomes)
    test(`…${digits}: ${what}`, async () => {
      const sent = collection({ payerAccount: `+23276123${digits}` })
      assert.deepEqual(await mtn.collect(sent), { outcome: 'accepted' })
      let passedMs = 0
      for (const { ms, outcome, callbacks } of moments) {
        await rail.clock.advance(ms - passedMs)
        passedMs = ms
        const reported = await mtn.queryCollection(about(sent.reference))
        assert.equal(
          reported.outcome === 'refused' ? reported.code : reported.outcome,
          outcome,
          `after ${ms} ms`,
        )
        assert.equal(rail.callbacks.length, callbacks, `callbacks after ${ms} ms`)
        assert.equal((await movements(sent.reference)).length, outcome === paid ? 1 : 0)
      }
    })

  test('…007: the response to the submit is lost, but the money moves', async () => {
    const sent = collection({ payerAccount: '+23276123007' })
    assert.equal((await mtn.collect(sent)).outcome, 'unknown')
    assert.equal((await mtn.queryCollection(about(sent.reference))).outcome, 'pending')
    await rail.clock.advance(300)
    assert.equal((await mtn.queryCollection(about(sent.reference))).outcome, 'done')
    assert.equal((await movements(sent.reference)).length, 1)
    assert.deepEqual(await mtn.collect(sent), { outcome: 'accepted' }, 'the rail has it when resubmitted')
  })

  test('…008: the submit fails and nothing is stored', async () => {
    const sent = collection({ payerAccount: '+23276123008' })
    assert.equal((await mtn.collect(sent)).outcome, 'unknown')
    await rail.clock.advance(60_000)
    assert.deepEqual(await mtn.queryCollection(about(sent.reference)), { outcome: 'missing' })
    assert.equal(rail.callbacks.length, 0)
  })
})

test('exactly the requested amount moves, once, however often it is submitted', async () => {
  const sent = collection({ amount: 123_456_789_01n })
  const answers = await Promise.all(Array.from({ length: 10 }, () => mtn.collect(sent)))
  assert.deepEqual(
    answers,
    answers.map(() => ({ outcome: 'accepted' })),
  )
  await rail.clock.advance(60_000)
  const [movement, ...more] = await movements(sent.reference)
  assert.deepEqual(more, [])
  assert.equal(movement?.amountMinor, 123_456_789_01n)
  assert.deepEqual(await mtn.queryCollection(about(sent.reference)), {
    outcome: 'done',
    amount: 123_456_789_01n,
    currency: 'SLE',
    railTransaction: String(movement?.financialTransactionId),
  })
  assert.equal(rail.callbacks.length, 1)
})

test('a callback contains the same document as a query, and is sent with PUT', async () => {
  const sent = collection({ description: 'Fatu’s Crème & Söhne: 2 cups', orderNumber: '123456789012' })
  await mtn.collect(sent)
  await rail.clock.advance(300)
  const [{ method, body } = { method: '', body: '{}' }] = rail.callbacks
  const { financialTransactionId, ...document } = JSON.parse(body)
  assert.equal(method, 'PUT')
  assert.match(financialTransactionId, /^[0-9]{10}$/)
  assert.deepEqual(document, {
    amount: '15.00',
    currency: 'SLE',
    externalId: '123456789012',
    payer: { partyIdType: 'MSISDN', partyId: '23276123456' },
    payerMessage: 'Fatu s Creme Sohne: 2 cups',
    payeeNote: 'Fatu s Creme Sohne: 2 cups',
    status: 'SUCCESSFUL',
  })
})

test('an amount in a currency without minor units is sent without decimals', async () => {
  const benin = connect('mtn-bj')
  const sent = collection({ payerAccount: '+22901234567', currency: 'XOF', amount: 1500n })
  await benin.collect(sent)
  await rail.clock.advance(300)
  assert.match(rail.callbacks[0]?.body ?? '', /"amount":"1500","currency":"XOF"/)
  const reported = await benin.queryCollection(about(sent.reference))
  assert.equal(reported.outcome === 'done' && reported.amount, 1500n)
  await benin.close()
})

test('one rail does not see another’s requests', async () => {
  const sent = collection({})
  await mtn.collect(sent)
  const other = connect('m18')
  assert.deepEqual(await other.queryCollection(about(sent.reference)), { outcome: 'missing' })
  await other.close()
})

test('an expired token is replaced, and the call succeeds', async () => {
  const sent = collection({})
  await mtn.collect(sent)
  await rail.clock.advance(3_600_000)
  assert.equal((await mtn.queryCollection(about(sent.reference))).outcome, 'done')
})

describe('a handset set to ask', () => {
  const number = '+23277000456'

  test('keeps the prompt open until its user approves', async () => {
    const sent = await ask(number)
    await rail.clock.advance(30_000)
    assert.equal((await mtn.queryCollection(about(sent.reference))).outcome, 'pending')
    const [prompt, ...others] = await promptsOf(rail.url, number)
    assert.deepEqual(others, [])
    assert.equal(prompt?.reference, sent.reference)
    assert.deepEqual([prompt?.amount, prompt?.what], ['Le 15.00', 'Two cups'])
    assert.equal(await answerPrompt(rail.url, number, sent.reference, 'approve'), true)
    await rail.clock.advance(0)
    assert.equal((await mtn.queryCollection(about(sent.reference))).outcome, 'done')
    assert.equal(rail.callbacks.length, 1)
    assert.deepEqual(await promptsOf(rail.url, number), [])
  })

  test('fails the payment if its user declines', async () => {
    const sent = await ask(number)
    assert.equal(await answerPrompt(rail.url, number, sent.reference, 'decline'), true)
    await rail.clock.advance(0)
    const reported = await mtn.queryCollection(about(sent.reference))
    assert.equal(reported.outcome === 'refused' && reported.code, 'authorization_failed')
  })

  test('accepts one answer only', async () => {
    const sent = await ask(number)
    const answers = await Promise.all(
      (['approve', 'decline', 'approve'] as const).map((answer) =>
        answerPrompt(rail.url, number, sent.reference, answer),
      ),
    )
    assert.equal(answers.filter(Boolean).length, 1)
    await rail.clock.advance(60_000)
    assert.equal(rail.callbacks.length, 1)
  })

  test('drops a prompt that was not answered', async () => {
    const sent = await ask(number)
    await rail.clock.advance(60_000)
    assert.equal(await answerPrompt(rail.url, number, sent.reference, 'approve'), false)
    const reported = await mtn.queryCollection(about(sent.reference))
    assert.equal(reported.outcome === 'refused' && reported.message, 'The payer did not respond in time.')
  })

  test('approves automatically again when set to', async () => {
    await setHandsetMode(rail.url, number, 'approve')
    const sent = collection({ payerAccount: number })
    await mtn.collect(sent)
    await rail.clock.advance(300)
    assert.equal((await mtn.queryCollection(about(sent.reference))).outcome, 'done')
  })

  async function ask(payerAccount: string): Promise<Collection> {
    await setHandsetMode(rail.url, payerAccount, 'ask')
    const sent = collection({ payerAccount })
    await mtn.collect(sent)
    return sent
  }
})

test('outcomes planned before a crash happen after it, once', async () => {
  const crashing = await startTestSimulator()
  const before = connect('m17', crashing)
  const sent = [collection({}, crashing), collection({ payerAccount: '+23276123012' }, crashing)]
  for (const each of sent) await before.collect(each)
  await before.close()
  await crashing.restart()
  await crashing.clock.advance(10_000)
  const again = connect('m17', crashing)
  for (const { reference } of sent)
    assert.equal((await again.queryCollection(about(reference))).outcome, 'done')
  assert.equal(crashing.callbacks.length, 3)
  await again.close()
  await crashing.close()
})

test('two nodes on one database do nothing twice', async () => {
  const another = await rail.startAnother()
  const sent = Array.from({ length: 20 }, () => collection({}))
  await Promise.all(sent.map((each) => mtn.collect(each)))
  await rail.clock.advance(2_000)
  assert.equal(rail.callbacks.length, sent.length)
  for (const { reference } of sent) assert.equal((await movements(reference)).length, 1)
  await another.stop()
})

test('a refused callback is not sent again', async () => {
  await mtn.collect(collection({ callbackUrl: `${rail.callbackUrl}/refused` }))
  await rail.clock.advance(60_000)
  assert.equal(rail.callbacks.length, 1)
})

describe('requests are validated as by the real rail', () => {
  const issues: [string, RequestInit & { path?: string; without?: string }, number, string][] = [
    ['no subscription key', { without: 'ocp-apim-subscription-key' }, 401, 'ACCESS_DENIED'],
    ['no token', { without: 'authorization' }, 401, 'ACCESS_DENIED'],
    ['a token of another rail', { path: '/mtn-momo/m18/collection/v1_0/requesttopay' }, 401, 'ACCESS_DENIED'],
    [
      'a token that the rail did not issue',
      { headers: { authorization: 'Bearer a.b' } },
      401,
      'ACCESS_DENIED',
    ],
    [
      'another target',
      { headers: { 'x-target-environment': 'mtnghana' } },
      500,
      'NOT_ALLOWED_TARGET_ENVIRONMENT',
    ],
    ['no reference', { without: 'x-reference-id' }, 400, 'BAD_REQUEST'],
    [
      'a malformed reference',
      { headers: { 'x-reference-id': '01930000-0000-7000-8000-000000000000' } },
      400,
      'BAD_REQUEST',
    ],
    [
      'a callback URL on another host',
      { headers: { 'x-callback-url': 'http://169.254.169.254/' } },
      500,
      'INVALID_CALLBACK_URL_HOST',
    ],
    ['another currency', { body: body({ currency: 'EUR' }) }, 500, 'INVALID_CURRENCY'],
    ['too many decimals', { body: body({ amount: '15.000' }) }, 400, 'BAD_REQUEST'],
    ['an amount of zero', { body: body({ amount: '0.00' }) }, 400, 'BAD_REQUEST'],
    ['a number for an amount', { body: body({ amount: 15 }) }, 400, 'BAD_REQUEST'],
    [
      'a number with a plus',
      { body: body({ payer: { partyIdType: 'MSISDN', partyId: '+23276123456' } }) },
      400,
      'BAD_REQUEST',
    ],
    ['an apostrophe', { body: body({ payerMessage: "Fatu's" }) }, 400, 'BAD_REQUEST'],
    ['invalid JSON', { body: '{' }, 400, 'BAD_REQUEST'],
    ['no body', { body: '' }, 400, 'BAD_REQUEST'],
    ['no such rail', { path: '/mtn-momo/slb001/collection/v1_0/requesttopay' }, 404, 'NO_SUCH_RAIL'],
  ]
  for (const [what, { path, without, headers, body: text }, status, code] of issues)
    test(`${what}: ${code}`, async () => {
      const all = new Headers({
        'content-type': 'application/json',
        'ocp-apim-subscription-key': simulatorCredentials(rail.seals, 'collection').subscriptionKey,
        authorization: `Bearer ${await token()}`,
        'x-target-environment': simulatorTargetEnvironment,
        'x-reference-id': randomUUID(),
        ...(headers as Record<string, string>),
      })
      if (without) all.delete(without)
      const answer = await fetch(`${rail.url}${path ?? '/mtn-momo/m17/collection/v1_0/requesttopay'}`, {
        method: 'POST',
        headers: all,
        body: text ?? body({}),
      })
      const document = (await answer.json()) as { code: string; message: string }
      assert.deepEqual([answer.status, document.code], [status, code])
      assert.deepEqual(Object.keys(document), ['code', 'message'])
    })

  test('a wrong API key gets no token, with or without a trailing slash', async () => {
    for (const path of ['token', 'token/']) assert.equal((await askToken(path, 'wrong')).status, 401)
    const { apiKey } = simulatorCredentials(rail.seals, 'collection')
    assert.equal((await askToken('token', apiKey)).status, 200)
  })

  test('a token requires the target environment, as on MTN’s new platform', async () => {
    const { apiKey } = simulatorCredentials(rail.seals, 'collection')
    for (const target of ['elsewhere', undefined])
      assert.equal((await askToken('token/', apiKey, { ...(target && { target }) })).status, 400)
  })
})

test('an account holder depends on the number', async () => {
  const ask = async (path: string) => {
    const answer = await fetch(`${rail.url}/mtn-momo/m17/collection/v1_0/accountholder/msisdn/${path}`, {
      headers: {
        'ocp-apim-subscription-key': simulatorCredentials(rail.seals, 'collection').subscriptionKey,
        authorization: `Bearer ${await token()}`,
        'x-target-environment': simulatorTargetEnvironment,
      },
    })
    return { status: answer.status, ...((await answer.json()) as object) } as Record<string, unknown>
  }
  assert.deepEqual(await ask('23276123456/active'), { status: 200, result: true })
  assert.deepEqual(await ask('23276123009/active'), { status: 200, result: false })
  assert.match(String((await ask('23276123456/basicuserinfo')).given_name), /^[A-Z]/)
  assert.equal((await ask('23276123010/basicuserinfo')).code, 'RESOURCE_NOT_FOUND')
})

function at(ms: number, outcome: string, callbacks: number) {
  return { ms, outcome, callbacks }
}

function connect(providerId = 'm17', to = rail): Connector {
  return createMtnMomo(
    {
      baseUrl: `${to.url}/mtn-momo/${providerId}`,
      targetEnvironment: simulatorTargetEnvironment,
      collection: simulatorCredentials(rail.seals, 'collection'),
      timeoutMs: 10_000,
      tokenTimeoutMs: 10_000,
    },
    createPeer(20),
  )
}

function collection(changes: Partial<Collection>, to = rail): Collection {
  return {
    reference: randomUUID(),
    amount: 1500n,
    currency: 'SLE',
    payerAccount: '+23276123456',
    description: 'Two cups',
    orderNumber: '000000000001',
    callbackUrl: `${to.callbackUrl}/1`,
    returnUrl: null,
    mayLeave: () => true,
    ...changes,
  }
}

function body(changes: object): string {
  const payer = { partyIdType: 'MSISDN', partyId: '23276123456' }
  return JSON.stringify({ amount: '15.00', currency: 'SLE', externalId: '1', payer, ...changes })
}

function askToken(
  path: string,
  apiKey: string,
  { target }: { target?: string } = { target: simulatorTargetEnvironment },
): Promise<Response> {
  const basic = Buffer.from(`${simulatorCredentials(rail.seals, 'collection').apiUser}:${apiKey}`).toString(
    'base64',
  )
  return fetch(`${rail.url}/mtn-momo/m17/collection/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'ocp-apim-subscription-key': simulatorCredentials(rail.seals, 'collection').subscriptionKey,
      ...(target && { 'x-target-environment': target }),
    },
  })
}

async function token(): Promise<string> {
  const answer = await askToken('token/', simulatorCredentials(rail.seals, 'collection').apiKey)
  return ((await answer.json()) as { access_token: string }).access_token
}

type Movement = { amountMinor: bigint; financialTransactionId: bigint }

function movements(reference: string) {
  // every space: rails know nothing about Spaces
  return rail.db.query<Movement>(sql`
    select amount_minor, financial_transaction_id from simulator_collections
    where reference = ${reference} and moved_at is not null`)
}
