import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { send } from '../../../support/wire.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const maxAmount = 9_007_199_254_740_991
const maxCount = 2n ** 63n - 1n
const price = (value: number) => ({ currency: 'SLE', value })

async function begin(merchant: Merchant, value: number) {
  const body = { name: 'Ship', lineItems: [{ name: 'Ship', price: price(value) }] }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076123456')
  const account = session.financialAccountId as string
  return { account, isDone: async () => (await payer.status()) === 'done' }
}

async function pay(merchant: Merchant, value: number): Promise<string> {
  const { account, isDone } = await begin(merchant, value)
  await until(async () => (await isDone()) || rail.advance(300))
  return account
}

const textOf = async ({ token, spaceId }: Merchant, path: string) =>
  (
    await send(t.baseUrl, {
      path,
      headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId },
    })
  ).text

const openAccount = async (merchant: Merchant) =>
  (await merchant.call('POST', '/v1/financial-accounts', { name: 'Ships', currency: 'SLE' })).body.result.id

const transferOf = (source: string, destination: string, value: number) => ({
  amount: price(value),
  sourceFinancialAccount: { id: source },
  destinationFinancialAccount: { id: destination },
})

/** Books a balance as if this much had been received before. */
const setPosted = ({ scope: { spaceId, environment } }: Merchant, account: string, posted: bigint) =>
  db.transaction((tx) =>
    tx.run(sql`
      update ledger_accounts set posted = ${posted}
      where space_id = ${spaceId} and environment = ${environment} and id = ${readId(accountIds, account)}`),
  )

describe('a balance beyond the range of a double', () => {
  test('is booked and shown as the exact integer in reads, lists, lines, events and transfers', async () => {
    const merchant = await t.merchant()
    for (let i = 0; i < 2; i++) await pay(merchant, maxAmount)
    const account = await pay(merchant, 3)
    const fees = (await merchant.call('GET', '/v1/payments')).body.result.flatMap(
      ({ fees }: { fees: { amount: { value: number } }[] }) => fees.map(({ amount }) => BigInt(amount.value)),
    )
    const expected = fees.reduce((sum: bigint, fee: bigint) => sum - fee, 2n * BigInt(maxAmount) + 3n)
    const value = `"value":${expected}}`
    assert.ok(expected > BigInt(maxAmount))
    assert.ok((await textOf(merchant, `/v1/financial-accounts/${account}?withBalance=true`)).includes(value))
    assert.ok((await textOf(merchant, '/v1/financial-accounts?withBalance=true')).includes(value))
    const lines = `/v1/financial-transactions?financialAccountId=${account}&limit=1`
    const text = await textOf(merchant, lines)
    assert.ok(text.includes(`"after":{"currency":"SLE",${value}}`), text)
    const { id } = (await merchant.call('GET', lines)).body.result[0]
    assert.ok(
      await until(async () =>
        (await textOf(merchant, `/v1/events?objectId=${id}`)).includes(`"after":{"currency":"SLE",${value}}`),
      ),
    )
    const other = await openAccount(merchant)
    const { body } = await merchant.call('POST', '/v1/internal-transfers', transferOf(account, other, 1))
    assert.equal(body.result.status, 'completed')
    const left = await textOf(merchant, `/v1/financial-accounts/${account}?withBalance=true`)
    assert.ok(left.includes(`"value":${expected - 1n}}`))
    await t.verify()
  })
})

describe('a balance beyond the range of an account', () => {
  test('refuses an immediate transfer with a conflict, without using up its key, and fails a scheduled one', async () => {
    const merchant = await t.merchant()
    const [source, full] = [await pay(merchant, 100_000), await openAccount(merchant)]
    await setPosted(merchant, full, maxCount - 5n)
    const transfer = (value: number, more = {}, headers = {}) =>
      merchant.call(
        'POST',
        '/v1/internal-transfers',
        { ...transferOf(source, full, value), ...more },
        headers,
      )
    const [first, ...others] = await Promise.all([6, 1, 2, 1].map((value) => transfer(value)))
    assert.deepEqual([first?.status, first?.body.error?.reason], [409, 'state_conflict'])
    assert.deepEqual(
      others.map(({ body }) => body.result?.status),
      ['completed', 'completed', 'completed'],
    )
    const key = { 'idempotency-key': 'again' }
    assert.equal((await transfer(6, {}, key)).status, 409)
    assert.equal((await transfer(1, {}, key)).body.result.status, 'completed')
    const executeTime = new Date(Date.now() + 3_600_000).toISOString()
    const planned = (await transfer(6, { executeTime })).body.result
    await t.advance(merchant.scope, 3_600_000)
    const ended = await until(async () => {
      const { result } = (await merchant.call('GET', `/v1/internal-transfers/${planned.id}`)).body
      return result.status === 'failed' && result
    })
    assert.equal(ended.failureDetail.code, 'unknown')
  })

  test('does not lose a payment: it waits, is queried, and completes once there is room', async () => {
    const merchant = await t.merchant()
    const account = await pay(merchant, 1_000)
    await setPosted(merchant, account, maxCount - 5n)
    const { isDone } = await begin(merchant, 1_000)
    const status = async () => (await merchant.call('GET', '/v1/payments?limit=1')).body.result[0].status
    for (let i = 0; i < 5; i++) {
      await rail.advance(300)
      await t.advance(merchant.scope, 60_000)
    }
    assert.equal(await status(), 'processing')
    await setPosted(merchant, account, 0n)
    await until(async () => {
      if (await isDone()) return true
      await t.advance(merchant.scope, 3_600_000)
      return false
    })
    assert.equal(await status(), 'completed')
  })
})
