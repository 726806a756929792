import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { newId, showId } from '../../../../packages/server/src/platform/ids.ts'
import type { Scope } from '../../../../packages/server/src/platform/scope.ts'
import { openNumberClaims } from '../../../../packages/server/src/ways-to-pay/payment-codes/numbers.ts'
import {
  findDialledCode,
  isPayable,
} from '../../../../packages/server/src/ways-to-pay/payment-codes/payment-codes.ts'
import { claimNumbers, freeNumbers } from '../../../../packages/server/src/ways-to-pay/payment-codes/store.ts'
import { type Answer, startTestApp, until } from '../../../support/harness.ts'
import { addJob } from '../../../support/jobs.ts'
import { createCodes, price } from '../../../support/payment-code.ts'

const t = await startTestApp({ app: { simulatorClock: createManualClock() } })
const elsewhere = await startTestApp({
  work: false,
  anotherNodeOf: t,
  settings: { USSD_SHORT_CODE: '384*715' },
})
after(async () => {
  await elsewhere.close()
  await t.close()
})
const { db, home, clock } = t.app.parts
const openCode = createCodes(t, createManualClock())

const issues = ({ status, body }: Answer): string[] => {
  assert.equal(status, 400, JSON.stringify(body))
  return body.error.details.map(({ param }: { param: string }) => param)
}
const refusal = ({ status, body }: Answer) => `${status} ${body.error?.reason}`

describe('POST /v1/payment-codes', () => {
  test('200: by default it accepts one payment from any phone and provider within ten minutes', async () => {
    const merchant = await t.merchant()
    const { body } = await merchant.call('POST', '/v1/payment-codes', { name: 'Tea' })
    const code = body.result
    const [account] = (await merchant.call('GET', '/v1/financial-accounts')).body.result
    assert.match(code.ussdCode, /^\*715\*[0-9]{10}#$/)
    assert.equal(Date.parse(code.expireTime) - Date.parse(code.createTime), 600_000)
    assert.deepEqual(code, {
      id: code.id,
      mode: 'one_time',
      status: 'pending',
      name: 'Tea',
      amount: null,
      enable: true,
      expireTime: code.expireTime,
      customer: null,
      ussdCode: code.ussdCode,
      reference: null,
      authorizedProviders: null,
      authorizedPhoneNumber: null,
      recurrentPaymentTarget: null,
      financialAccountId: account.id,
      processedPaymentData: null,
      createTime: code.createTime,
      updateTime: code.createTime,
      ownershipGraph: { owner: { id: merchant.spaceId, type: 'space', metadata: {}, owner: {} } },
      metadata: {},
    })
    assert.deepEqual((await merchant.call('GET', `/v1/payment-codes/${code.id}`)).body.result, code)
    assert.deepEqual(
      (await t.events(merchant.scope)).map(({ type, data }) => [type, data]),
      [['payment_code.created', code]],
    )
  })

  test('200 returns everything that was sent', async () => {
    const wanted = {
      name: 'Choir',
      mode: 'recurrent',
      enable: false,
      amount: price(9_007_199_254_740_991),
      customer: { name: 'Aminata' },
      reference: 'choir-7',
      authorizedProviders: ['m18', 'm17'],
      recurrentPaymentTarget: { expectedPaymentCount: 3, expectedPaymentTotal: price(1) },
      metadata: { a: { b: [1.5] } },
    }
    const { code } = await openCode({ ...wanted, duration: '30d' })
    assert.deepEqual({ ...code, ...wanted }, code)
    assert.equal(Date.parse(code.expireTime) - Date.parse(code.createTime), 30 * 86_400_000)
    const { code: other } = await openCode({ authorizedPhoneNumber: '076 123-456' })
    assert.equal(other.authorizedPhoneNumber, '+23276123456')
    const { code: counted } = await openCode({
      mode: 'recurrent',
      recurrentPaymentTarget: { expectedPaymentCount: 3 },
    })
    assert.deepEqual(counted.recurrentPaymentTarget, { expectedPaymentCount: 3, expectedPaymentTotal: null })
  })

  test('200 in the currency of its amount, or else of its target, its account or the country', async () => {
    const merchant = await t.merchant({ country: 'GH' })
    const account = async (currency: string) =>
      (await merchant.call('POST', '/v1/financial-accounts', { name: 'Till', currency })).body.result.id
    const [sle, xof] = [await account('SLE'), await account('XOF')]
    const total = { expectedPaymentTotal: price(9, 'XOF') }
    const cases: [object, string][] = [
      [{ amount: price(1) }, 'SLE'],
      [{ mode: 'recurrent', recurrentPaymentTarget: total, amount: undefined }, 'XOF'],
      [{ financialAccountId: sle, amount: undefined }, 'SLE'],
      [{ amount: undefined }, 'GHS'],
    ]
    for (const [given, currency] of cases) {
      const { code } = await openCode(given, merchant)
      const url = `/v1/financial-accounts/${code.financialAccountId}`
      assert.equal((await merchant.call('GET', url)).body.result.currency, currency)
    }
    const disagreeing: [object, string][] = [
      [
        { amount: price(1), mode: 'recurrent', recurrentPaymentTarget: total },
        'recurrentPaymentTarget.expectedPaymentTotal.currency',
      ],
      [{ amount: price(1), financialAccountId: xof }, 'financialAccountId'],
      [{ mode: 'recurrent', recurrentPaymentTarget: total, financialAccountId: sle }, 'financialAccountId'],
      [{ amount: price(1, 'USX') }, 'amount.currency'],
      [{ amount: price(1), authorizedProviders: ['m17', 'mtn-gh'] }, 'authorizedProviders[1]'],
    ]
    for (const [given, param] of disagreeing)
      assert.deepEqual(issues(await merchant.call('POST', '/v1/payment-codes', { name: 'Tea', ...given })), [
        param,
      ])
  })

  test('400 with all issues together', async () => {
    const merchant = await t.merchant()
    const tell = async (more: object) =>
      issues(await merchant.call('POST', '/v1/payment-codes', { name: 'Tea', ...more }))
    const cases: [object, string[]][] = [
      [{ name: 'ab' }, ['name']],
      [{ name: 'x'.repeat(65) }, ['name']],
      [{ duration: '0s' }, ['duration']],
      [{ duration: '30d1s' }, ['duration']],
      [{ customer: { name: 'x'.repeat(101) } }, ['customer.name']],
      [{ authorizedProviders: [] }, ['authorizedProviders']],
      [
        { authorizedProviders: ['m17', 'slb001', 'm17', 'x'] },
        ['authorizedProviders[1]', 'authorizedProviders[2]', 'authorizedProviders[3]'],
      ],
      [{ authorizedPhoneNumber: '12' }, ['authorizedPhoneNumber']],
      [
        { authorizedProviders: ['m17'], authorizedPhoneNumber: '076123456' },
        ['authorizedProviders', 'authorizedPhoneNumber'],
      ],
      [{ recurrentPaymentTarget: { expectedPaymentCount: 2 } }, ['recurrentPaymentTarget']],
      [{ mode: 'recurrent', recurrentPaymentTarget: {} }, ['recurrentPaymentTarget']],
      [
        { mode: 'recurrent', recurrentPaymentTarget: { expectedPaymentCount: 0 } },
        ['recurrentPaymentTarget.expectedPaymentCount'],
      ],
      [{ financialAccountId: showId(accountIds, newId(new Date())) }, ['financialAccountId']],
      [
        { amount: price(1, 'USX'), authorizedPhoneNumber: '12', financialAccountId: 'x' },
        ['amount.currency', 'authorizedPhoneNumber', 'financialAccountId'],
      ],
    ]
    for (const [given, params] of cases) assert.deepEqual(await tell(given), params, JSON.stringify(given))
    assert.deepEqual(await t.events(merchant.scope), [])
  })

  test('200 to twenty identical concurrent requests: one code, one number and twenty equal responses', async () => {
    const merchant = await t.merchant()
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => merchant.call('POST', '/v1/payment-codes', { name: 'Tea' }, headers)),
    )
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    const numbers = await db.query(sql`
      select number from payment_code_numbers where space_id = ${merchant.scope.spaceId}`)
    assert.deepEqual(numbers, [{ number: answers[0]!.body.result.ussdCode.slice(5, -1) }])
  })
})

describe('the number of a code is claimed before the code is created', () => {
  const numbersOf = ({ scope }: { scope: Scope }) =>
    db.query<{ number: string }>(
      sql`select number from payment_code_numbers where space_id = ${scope.spaceId}`,
    )
  const numberOf = ({ body }: Answer) => body.result.ussdCode.slice(5, -1)

  test('once: neither a repeated request nor an invalid one claims another number', async () => {
    const merchant = await t.merchant()
    const create = (body: object, key: string) =>
      merchant.call('POST', '/v1/payment-codes', body, { 'idempotency-key': key })
    const key = randomUUID()
    const first = await create({ name: 'Tea' }, key)
    const again = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'Tea' }, key)))
    assert.deepEqual(new Set(again.map(numberOf)), new Set([numberOf(first)]))
    const invalid = { name: 'Tea', authorizedPhoneNumber: '1' }
    const refused = await Promise.all(Array.from({ length: 10 }, () => create(invalid, randomUUID())))
    assert.deepEqual(new Set(refused.map(refusal)), new Set(['400 arguments_invalid']))
    assert.deepEqual(await numbersOf(merchant), [{ number: numberOf(first) }])
  })

  test('if the node ends in between, the repeated request gets another one, and a daily job frees the lost one', async () => {
    const merchant = await t.merchant()
    const key = randomUUID()
    const dayMs = 86_400_000
    const claimAt = async (now: Date, idempotencyKey: string) => {
      const claimant = { scope: merchant.scope, idempotencyKey, now }
      return (await openNumberClaims(t.app.parts).claimEach([claimant]))[0]!.text
    }
    const lost = await claimAt(new Date(Date.now() - 1.1 * dayMs), key)
    const inProgress = await claimAt(new Date(Date.now() - 0.9 * dayMs), randomUUID())
    const made = await merchant.call('POST', '/v1/payment-codes', { name: 'Tea' }, { 'idempotency-key': key })
    assert.equal(made.status, 200)
    assert.notEqual(numberOf(made), lost)
    await t.verify()
    await db.pool.query(addJob('payment-codes.free-numbers'))
    db.wake('jobs')
    await until(async () => (await numbersOf(merchant)).length === 2)
    assert.deepEqual(
      new Set((await numbersOf(merchant)).map(({ number }) => number)),
      new Set([inProgress, numberOf(made)]),
    )
  })

  test('is written again if a failover has lost it, and freed only if it is as old as the job believes', async () => {
    const merchant = await t.merchant()
    const claims = openNumberClaims(t.app.parts)
    const claimants = [{ scope: merchant.scope, idempotencyKey: randomUUID(), now: new Date() }]
    const [first] = await claims.claimEach(claimants)
    const tomorrow = new Date(Date.now() + 86_400_000)
    const free = (before: Date) => home.transaction((tx) => freeNumbers(tx, [first!.text], before))
    assert.equal(await free(claimants[0]!.now), 0)
    for (const again of [claims.claimFirst, claims.claimEach]) {
      assert.equal(await free(tomorrow), 1)
      assert.deepEqual((await again(claimants))[0], first)
      assert.deepEqual(await numbersOf(merchant), [{ number: first!.text }])
    }
    await free(tomorrow)
  })

  test('a number that has no code for two days is reported by verify', async () => {
    const merchant = await t.merchant()
    const claimant = { scope: merchant.scope, idempotencyKey: randomUUID(), now: new Date(0) }
    const [claim] = await openNumberClaims(t.app.parts).claimEach([claimant])
    await assert.rejects(t.verify(), /every number in the directory belongs to its payment code/)
    await home.transaction((tx) => freeNumbers(tx, [claim!.text], new Date()))
    await t.verify()
  })
})

describe('a dialled number', () => {
  test('finds its code and payee permanently, but only in its environment', async () => {
    const merchant = await t.merchant({ name: 'Aberdeen School', country: 'GH' })
    const { id, number, cancel } = await openCode({}, merchant)
    const found = await findDialledCode(db, 'test', number)
    assert.deepEqual(
      [found!.scope, found!.payee, found!.country, found!.code.id],
      [merchant.scope, 'Aberdeen School', 'GH', id],
    )
    assert.deepEqual(
      [found!.code.number, found!.code.amount, found!.code.currency, found!.code.authorizedProviders],
      [number, 500n, 'SLE', null],
    )
    assert.ok(isPayable(found!.code, clock.now(merchant.scope)))
    assert.equal(await findDialledCode(db, 'live', number), undefined)
    await cancel()
    const ended = await findDialledCode(db, 'test', number)
    assert.equal(ended!.code.status, 'cancelled')
    const stranger = await t.merchant({ environment: 'live' })
    const wanted = { scope: stranger.scope, text: number, id: newId(new Date()) }
    assert.equal((await home.transaction((tx) => claimNumbers(tx, [wanted]))).size, 0)
    assert.ok(!isPayable(ended!.code, clock.now(merchant.scope)))
    for (const none of ['0000000000', '', number.slice(1), `${number}0`])
      assert.equal(await findDialledCode(db, 'test', none), undefined)
  })

  test('follows the operator’s short code', async () => {
    const merchant = await elsewhere.merchant()
    const made = await merchant.call('POST', '/v1/payment-codes', { name: 'Tea' })
    const { ussdCode } = made.body.result
    assert.match(ussdCode, /^\*384\*715\*[0-9]{10}#$/)
    const list = (text: string) =>
      merchant.call('GET', `/v1/payment-codes?ussd_code=${encodeURIComponent(text)}`)
    assert.equal((await list(ussdCode)).body.result.length, 1)
    assert.deepEqual((await list(ussdCode.replace('*384', ''))).body.result, [])
  })
})

describe('PATCH /v1/payment-codes/{id}', () => {
  test('200 changes only the given fields, and null clears them', async () => {
    const { code, change, read } = await openCode({
      mode: 'recurrent',
      enable: false,
      customer: { name: 'Aminata' },
      reference: 'fees-7',
      authorizedProviders: ['m17'],
      recurrentPaymentTarget: { expectedPaymentTotal: price(1_000) },
      metadata: { a: 1 },
      duration: '2d',
    })
    const named = await change({ name: 'Fees', metadata: { b: 2 } })
    assert.deepEqual(named.body.result, {
      ...code,
      name: 'Fees',
      metadata: { b: 2 },
      updateTime: named.body.result.updateTime,
    })
    const cleared = await change({
      enable: null,
      amount: null,
      duration: null,
      customer: null,
      reference: null,
      authorizedProviders: null,
      recurrentPaymentTarget: null,
      metadata: null,
    })
    const { updateTime, expireTime } = cleared.body.result
    assert.deepEqual(cleared.body.result, {
      ...code,
      name: 'Fees',
      enable: true,
      amount: null,
      customer: null,
      reference: null,
      authorizedProviders: null,
      recurrentPaymentTarget: null,
      metadata: {},
      updateTime,
      expireTime,
    })
    assert.equal(Date.parse(expireTime) - Date.parse(updateTime), 600_000)
    assert.deepEqual(await read(), cleared.body.result)
  })

  test('400 if it contradicts the code’s existing terms', async () => {
    const merchant = await t.merchant()
    const account = { name: 'Till', currency: 'GHS' }
    const cedis = (await merchant.call('POST', '/v1/financial-accounts', account)).body.result.id
    const { code, change, read } = await openCode({ authorizedProviders: ['m17'] }, merchant)
    const cases: [object, string[]][] = [
      [{ authorizedPhoneNumber: '076123456' }, ['authorizedProviders', 'authorizedPhoneNumber']],
      [{ recurrentPaymentTarget: { expectedPaymentCount: 2 } }, ['recurrentPaymentTarget']],
      [{ amount: price(1, 'GHS') }, ['amount.currency']],
      [{ financialAccountId: cedis }, ['financialAccountId']],
      [{ authorizedProviders: ['mtn-gh'] }, ['authorizedProviders[0]']],
      [{ mode: 'recurrent' }, ['mode']],
      [{ name: null }, ['name']],
      [
        { amount: price(1, 'GHS'), financialAccountId: cedis, authorizedPhoneNumber: '12' },
        ['amount.currency', 'authorizedPhoneNumber', 'financialAccountId'],
      ],
    ]
    for (const [given, params] of cases)
      assert.deepEqual(issues(await change(given)), params, JSON.stringify(given))
    assert.deepEqual(await read(), code)
    const { body } = await change({ authorizedProviders: null, authorizedPhoneNumber: '076123456' })
    assert.deepEqual(
      [body.result.authorizedProviders, body.result.authorizedPhoneNumber],
      [null, '+23276123456'],
    )
  })

  test('200 for the account applies to future payments, and null resets it to the main account', async () => {
    const merchant = await t.merchant()
    const { code, change } = await openCode({}, merchant)
    const account = { name: 'Till', currency: 'SLE' }
    const till = (await merchant.call('POST', '/v1/financial-accounts', account)).body.result.id
    assert.equal((await change({ financialAccountId: till })).body.result.financialAccountId, till)
    const { body } = await change({ financialAccountId: null })
    assert.equal(body.result.financialAccountId, code.financialAccountId)
  })
})

test('/v1/payment-codes: 200 to GET with payment-codes:read, 403 to everything else without payment-codes:write', async () => {
  const owner = await t.merchant()
  const { code } = await openCode({}, owner)
  const reader = await t.merchant({ sameUserAs: owner, scopes: ['payment-codes:read'] })
  const url = `/v1/payment-codes/${code.id}`
  assert.equal((await reader.call('GET', url)).status, 200)
  assert.equal((await reader.call('GET', '/v1/payment-codes')).status, 200)
  for (const answer of [
    await reader.call('POST', '/v1/payment-codes', { name: 'Tea' }),
    await reader.call('PATCH', url, {}),
    await reader.call('DELETE', url),
  ])
    assert.equal(refusal(answer), '403 access_denied')
})
