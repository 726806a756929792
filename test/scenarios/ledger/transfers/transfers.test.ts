import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { systemAccount } from '../../../../packages/server/src/ledger/accounts/accounts.ts'
import { accountIds, transactionIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { transferIds } from '../../../../packages/server/src/ledger/transfers/resources.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'

const t = await startTestApp()
after(() => t.close())
const { db, clock } = t.app.parts

const path = '/v1/internal-transfers'

async function open(merchant: Merchant, currency = 'SLE'): Promise<string> {
  return (await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency })).body.result.id
}

const bodyOf = (from: string, to: string, value: number, more: object = {}) => ({
  amount: { currency: 'SLE', value },
  sourceFinancialAccount: { id: from },
  destinationFinancialAccount: { id: to },
  ...more,
})

const balanceOf = async (merchant: Merchant, account: string): Promise<number> =>
  (await merchant.call('GET', `/v1/financial-accounts/${account}?withBalance=true`)).body.result.balance
    .available.value

async function shop(funds = 1_000) {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, funds)
  const rent = await open(merchant)
  const move = async (value: number, more: object = {}, headers: Record<string, string> = {}) =>
    merchant.call('POST', path, bodyOf(main, rent, value, more), headers)
  return { merchant, main, rent, move }
}

describe('POST /v1/internal-transfers', () => {
  test('200 completed with money, lines, owner, reference and events', async () => {
    const { merchant, main, rent, move } = await shop()
    const { status, body } = await move(300, { description: 'November', metadata: { flat: 4 } })
    assert.equal(status, 200)
    const transfer = body.result
    assert.deepEqual(
      { ...transfer, id: '', createTime: '', updateTime: '', financialTransactionReference: '' },
      {
        id: '',
        status: 'completed',
        amount: { currency: 'SLE', value: 300 },
        sourceFinancialAccount: { id: main },
        destinationFinancialAccount: { id: rent },
        financialTransactionReference: '',
        description: 'November',
        failureDetail: null,
        executeTime: null,
        createTime: '',
        updateTime: '',
        ownershipGraph: { owner: { id: merchant.spaceId, type: 'space', metadata: {}, owner: {} } },
        metadata: { flat: 4 },
      },
    )
    assert.deepEqual((await merchant.call('GET', `${path}/${transfer.id}`)).body.result, transfer)
    assert.equal(await balanceOf(merchant, main), 700)
    assert.equal(await balanceOf(merchant, rent), 300)
    const lines = (
      await merchant.call(
        'GET',
        `/v1/financial-transactions?reference=${transfer.financialTransactionReference}`,
      )
    ).body.result
    assert.deepEqual(
      lines.map((line: Record<string, never>) => [line.type, line.financialAccount, line.amount]),
      [
        ['credit', { id: rent, balance: { after: { currency: 'SLE', value: 300 } } }, transfer.amount],
        ['debit', { id: main, balance: { after: { currency: 'SLE', value: 700 } } }, transfer.amount],
      ],
    )
    for (const line of lines) {
      assert.equal(line.ownershipGraph.owner.id, transfer.id)
      assert.equal(line.ownershipGraph.owner.type, 'internal_transfer')
      const events = await t.events(merchant.scope, readId(transactionIds, line.id))
      assert.deepEqual(
        events.map(({ type, data }) => ({ type, data })),
        [{ type: 'financial_transaction.created', data: line }],
      )
    }
    const events = await t.events(merchant.scope, readId(transferIds, transfer.id))
    assert.deepEqual(
      events.map(({ type, data }) => ({ type, data })),
      [
        { type: 'internal_transfer.created', data: transfer },
        { type: 'internal_transfer.completed', data: transfer },
      ],
    )
    await t.verify()
  })

  test('200 failed with fund_insufficient if one unit is missing; nothing moves', async () => {
    const { merchant, main, rent, move } = await shop(1_000)
    const { status, body } = await move(1_001)
    assert.equal(status, 200)
    assert.equal(body.result.status, 'failed')
    assert.equal(body.result.failureDetail.code, 'fund_insufficient')
    assert.equal(body.result.financialTransactionReference, null)
    assert.deepEqual([await balanceOf(merchant, main), await balanceOf(merchant, rent)], [1_000, 0])
    const events = await t.events(merchant.scope, readId(transferIds, body.result.id))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['internal_transfer.created', 'internal_transfer.failed'],
    )
    assert.equal((await move(1_000)).body.result.status, 'completed')
    await t.verify()
  })

  test('200 for many at once: only those that are not covered fail, and each has its own response', async () => {
    const { merchant, main, rent, move } = await shop(1_000)
    const answers = await Promise.all(Array.from({ length: 40 }, () => move(100)))
    const statuses = answers.map(({ body }) => body.result.status)
    assert.equal(statuses.filter((status) => status === 'completed').length, 10)
    assert.equal(statuses.filter((status) => status === 'failed').length, 30)
    assert.equal(new Set(answers.map(({ body }) => body.result.id)).size, 40)
    assert.deepEqual([await balanceOf(merchant, main), await balanceOf(merchant, rent)], [0, 1_000])
    await t.verify()
  })

  test('200 to twenty identical concurrent requests: one transfer, and twenty equal responses', async () => {
    const { merchant, rent, move } = await shop(1_000)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => move(50, {}, { 'idempotency-key': key })),
    )
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('service-idempotent-replay')).length, 19)
    assert.equal(await balanceOf(merchant, rent), 50)
    const other = await move(51, {}, { 'idempotency-key': key })
    assert.deepEqual([other.status, other.body.error.reason], [409, 'idempotency_key_in_use'])
  })

  test('200 again for a repeated idempotency key: the first response, whatever has happened since', async () => {
    const { merchant, move } = await shop(10)
    const key = randomUUID()
    const failed = await move(11, {}, { 'idempotency-key': key })
    await fund(t.app.parts, merchant.scope, 100)
    assert.deepEqual((await move(11, {}, { 'idempotency-key': key })).body, failed.body)
    const executeTime = new Date(clock.now(merchant.scope).getTime() + 60_000).toISOString()
    const planKey = randomUUID()
    const planned = await move(5, { executeTime }, { 'idempotency-key': planKey })
    await merchant.call('DELETE', `${path}/${planned.body.result.id}`)
    assert.deepEqual((await move(5, { executeTime }, { 'idempotency-key': planKey })).body, planned.body)
  })

  test('400 for one of many at once: its idempotency key stays unused, and the others succeed', async () => {
    const { merchant, main, rent, move } = await shop(1_000)
    const key = randomUUID()
    const [, refused] = await Promise.all([
      move(10),
      merchant.call('POST', path, bodyOf(main, main, 10), { 'idempotency-key': key }),
      move(10),
    ])
    assert.equal(refused!.status, 400)
    assert.equal(await balanceOf(merchant, rent), 20)
    assert.equal((await move(10, {}, { 'idempotency-key': key })).body.result.status, 'completed')
  })
})

describe('a scheduled transfer', () => {
  test('waits for its time by the Space’s clock, and is then posted and publishes its events', async () => {
    const { merchant, rent, move } = await shop(1_000)
    const executeTime = new Date(clock.now(merchant.scope).getTime() + 3_600_000).toISOString()
    const { result: planned } = (await move(400, { executeTime })).body
    assert.deepEqual([planned.status, planned.executeTime], ['pending', executeTime])
    assert.equal(planned.financialTransactionReference, null)
    assert.equal(await balanceOf(merchant, rent), 0)
    await t.advance(merchant.scope, 3_599_000)
    assert.equal((await merchant.call('GET', `${path}/${planned.id}`)).body.result.status, 'pending')
    await t.advance(merchant.scope, 2_000)
    const done = await until(async () => {
      const { result } = (await merchant.call('GET', `${path}/${planned.id}`)).body
      return result.status === 'completed' && result
    })
    assert.equal(await balanceOf(merchant, rent), 400)
    const events = await t.events(merchant.scope, readId(transferIds, planned.id))
    assert.deepEqual(
      events.map(({ type, data }) => ({ type, data })),
      [
        { type: 'internal_transfer.created', data: planned },
        { type: 'internal_transfer.completed', data: done },
      ],
    )
    assert.equal((await merchant.call('DELETE', `${path}/${planned.id}`)).body.error.reason, 'state_conflict')
    await t.verify()
  })

  test('fails at its time if the balance is insufficient by then', async () => {
    const { merchant, move } = await shop(100)
    const executeTime = new Date(clock.now(merchant.scope).getTime() + 60_000).toISOString()
    const { result: planned } = (await move(80, { executeTime })).body
    await move(30)
    await t.advance(merchant.scope, 61_000)
    const failed = await until(async () => {
      const { result } = (await merchant.call('GET', `${path}/${planned.id}`)).body
      return result.status === 'failed' && result
    })
    assert.equal(failed.failureDetail.code, 'fund_insufficient')
    await t.verify()
  })

  test('is executed in order of creation if many are due at the same time', async () => {
    const { merchant, move } = await shop(100)
    const executeTime = new Date(clock.now(merchant.scope).getTime() + 60_000).toISOString()
    const ids: string[] = []
    for (const value of [60, 50, 40]) ids.push((await move(value, { executeTime })).body.result.id)
    await t.advance(merchant.scope, 61_000)
    const statuses = await until(async () => {
      const now = await Promise.all(
        ids.map(async (id) => (await merchant.call('GET', `${path}/${id}`)).body.result.status),
      )
      return now.every((status) => status === 'completed' || status === 'failed') && now
    })
    assert.equal(statuses.filter((status) => status === 'completed').length, 2)
    await t.verify()
  })

  test('DELETE 200 while pending, and when repeated; it then never moves money', async () => {
    const { merchant, rent, move } = await shop(100)
    const executeTime = new Date(clock.now(merchant.scope).getTime() + 60_000).toISOString()
    const { id } = (await move(80, { executeTime })).body.result
    for (let i = 0; i < 2; i++) {
      const { status, body } = await merchant.call('DELETE', `${path}/${id}`)
      assert.deepEqual([status, body], [200, { success: true, messages: [], result: null }])
    }
    const { result } = (await merchant.call('GET', `${path}/${id}`)).body
    assert.deepEqual([result.status, result.failureDetail.code], ['failed', 'cancelled'])
    await t.advance(merchant.scope, 61_000)
    const due = (await move(10)).body.result
    assert.equal(due.status, 'completed')
    assert.equal(await balanceOf(merchant, rent), 10)
    const events = await t.events(merchant.scope, readId(transferIds, id))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['internal_transfer.created', 'internal_transfer.failed'],
    )
  })
})

describe('POST /v1/internal-transfers refuses', () => {
  const issues = async (bodyOf: (shop: Awaited<ReturnType<typeof open2>>) => object) => {
    const made = await open2()
    const { status, body } = await made.merchant.call('POST', path, bodyOf(made))
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(body.error.reason, 'arguments_invalid')
    return Object.fromEntries(
      body.error.details.map(({ param, errors }: { param: string; errors: string[] }) => [param, errors]),
    )
  }
  async function open2() {
    const { merchant, main, rent } = await shop(1_000)
    const stranger = await shop(1_000)
    return { merchant, main, rent, cedi: await open(merchant, 'GHS'), foreign: stranger.main }
  }
  const none = 'does not name a financial account in this Space'
  const unknown = showId(accountIds, '00000000-0000-7000-8000-000000000000')
  const source = 'sourceFinancialAccount.id'
  const destination = 'destinationFinancialAccount.id'

  test('400 the same account twice', async () => {
    assert.deepEqual(await issues(({ main }) => bodyOf(main, main, 1)), {
      [destination]: ['must differ from the source account'],
    })
  })
  test('400 nonexistent accounts, each named', async () => {
    assert.deepEqual(await issues(() => bodyOf(unknown, 'nonsense', 1)), {
      [source]: [none],
      [destination]: [none],
    })
  })
  test('400 an account of another Space', async () => {
    assert.deepEqual(await issues(({ main, foreign }) => bodyOf(main, foreign, 1)), { [destination]: [none] })
    assert.deepEqual(await issues(({ foreign, rent }) => bodyOf(foreign, rent, 1)), { [source]: [none] })
  })
  test('400 an account in another currency', async () => {
    assert.deepEqual(await issues(({ main, cedi }) => bodyOf(main, cedi, 1)), {
      [destination]: ['is an account in GHS, not SLE'],
    })
    assert.deepEqual(await issues(({ cedi, rent }) => bodyOf(cedi, rent, 1)), {
      [source]: ['is an account in GHS, not SLE'],
    })
    assert.deepEqual(
      await issues(({ main, rent }) => ({ ...bodyOf(main, rent, 1), amount: { currency: 'GHS', value: 1 } })),
      {
        [source]: ['is an account in SLE, not GHS'],
        [destination]: ['is an account in SLE, not GHS'],
      },
    )
  })
  test('400 an account of the service itself', async () => {
    const made = await open2()
    const funding = await db.transaction((tx) =>
      systemAccount(tx, made.merchant.scope, 'funding', 'SLE', clock.now(made.merchant.scope)),
    )
    const { body } = await made.merchant.call('POST', path, bodyOf(showId(accountIds, funding), made.rent, 1))
    assert.deepEqual(body.error.details, [{ param: source, errors: [none] }])
  })
  test('400 a time in the past, now, or more than 366 days ahead', async () => {
    for (const executeTime of ['2020-01-01T00:00:00Z', new Date(Date.now() - 1).toISOString()])
      assert.deepEqual(await issues(({ main, rent }) => bodyOf(main, rent, 1, { executeTime })), {
        executeTime: ['must be in the future'],
      })
    const executeTime = new Date(Date.now() + 367 * 86_400_000).toISOString()
    assert.deepEqual(await issues(({ main, rent }) => bodyOf(main, rent, 1, { executeTime })), {
      executeTime: ['must be at most 366 days from now'],
    })
  })
  test('400 amounts and texts just outside their limits; 200 just inside', async () => {
    const { merchant, main, rent } = await shop(1_000)
    const send = async (body: object) => (await merchant.call('POST', path, body)).status
    const amount = (value: unknown) => ({ ...bodyOf(main, rent, 1), amount: { currency: 'SLE', value } })
    for (const value of [0, -1, 1.5, '1', 9_007_199_254_740_992, null])
      assert.equal(await send(amount(value)), 400)
    for (const value of [1, 9_007_199_254_740_991]) assert.equal(await send(amount(value)), 200)
    const described = (description: unknown) => bodyOf(main, rent, 1, { description })
    for (const description of ['x'.repeat(151), 7]) assert.equal(await send(described(description)), 400)
    for (const description of ['x'.repeat(150), '', null])
      assert.equal(await send(described(description)), 200)
    assert.equal(await send({ ...bodyOf(main, rent, 1), descripton: 'mistyped' }), 400)
  })
})

describe('/v1/internal-transfers', () => {
  test('GET 200 lists by status, source, destination and reference, newest first, page by page', async () => {
    const { merchant, main, rent, move } = await shop(100)
    const executeTime = new Date(clock.now(merchant.scope).getTime() + 3_600_000).toISOString()
    const made = [
      (await move(30)).body.result,
      (await move(500)).body.result,
      (await move(20, { executeTime })).body.result,
      (await merchant.call('POST', path, bodyOf(rent, main, 10))).body.result,
    ]
    const listed = async (query: string) =>
      (await merchant.call('GET', `${path}?${query}`)).body.result.map(({ id }: { id: string }) =>
        made.findIndex((transfer) => transfer.id === id),
      )
    assert.deepEqual(await listed(''), [3, 2, 1, 0])
    assert.deepEqual(await listed('status=completed'), [3, 0])
    assert.deepEqual(await listed('status=failed'), [1])
    assert.deepEqual(await listed('status=pending'), [2])
    assert.deepEqual(await listed('status=processing'), [])
    assert.deepEqual(await listed(`sourceFinancialAccountId=${rent}`), [3])
    assert.deepEqual(await listed(`destinationFinancialAccountId=${rent}`), [2, 1, 0])
    assert.deepEqual(await listed(`destinationFinancialAccountId=${rent}&status=completed`), [0])
    assert.deepEqual(
      await listed(`financialTransactionReference=${made[0].financialTransactionReference}`),
      [0],
    )
    for (const reference of ['20261121-101500123-7k2m9x', 'nonsense', '99999999-999999999-aaaaaa'])
      assert.deepEqual(await listed(`financialTransactionReference=${reference}`), [])
    const seen: string[] = []
    let after = ''
    do {
      const { body } = await merchant.call('GET', `${path}?limit=1&after=${after}`)
      seen.push(...body.result.map(({ id }: { id: string }) => id))
      after = body.pagination.next ?? ''
    } while (after)
    assert.deepEqual(seen, made.map(({ id }) => id).reverse())
    assert.equal((await merchant.call('GET', `${path}?status=done`)).status, 400)
    const bad = await merchant.call('GET', `${path}?sourceFinancialAccountId=nonsense`)
    assert.equal(bad.body.error.details[0].param, 'sourceFinancialAccountId')
  })

  test('PATCH 200 changes only description and metadata, independently, in any state', async () => {
    const { merchant, move } = await shop(100)
    const { result } = (await move(30, { description: 'one', metadata: { a: 1 } })).body
    const change = (body: object) => merchant.call('PATCH', `${path}/${result.id}`, body)
    assert.equal((await change({ description: 'x'.repeat(255) })).body.result.description.length, 255)
    assert.equal((await change({ description: 'x'.repeat(256) })).status, 400)
    assert.equal((await change({ amount: { currency: 'SLE', value: 1 } })).status, 400)
    const changed = (await change({ metadata: { b: 2 } })).body.result
    assert.deepEqual([changed.metadata, changed.description.length], [{ b: 2 }, 255])
    assert.deepEqual((await change({ description: null, metadata: null })).body.result.description, null)
    const now = (await merchant.call('GET', `${path}/${result.id}`)).body.result
    assert.deepEqual([now.status, now.amount, now.metadata], ['completed', result.amount, {}])
  })

  test('DELETE 409 once it is completed or failed', async () => {
    const { merchant, move } = await shop(10)
    for (const value of [5, 500]) {
      const { id } = (await move(value)).body.result
      const { status, body } = await merchant.call('DELETE', `${path}/${id}`)
      assert.deepEqual([status, body.error.reason], [409, 'state_conflict'])
    }
  })
})
