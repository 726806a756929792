import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { parse } from 'csv-parse/sync'
import { sumNewLinesOfAllSpaces } from '../../../../packages/server/src/finance/reconciliation/summing.ts'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { asCsvRows, readSpreadsheet } from '../../../support/spreadsheet.ts'
import { openShop } from '../../money/refunds/shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

const dayMs = 86_400_000

async function shop() {
  const opened = await openShop(t, rail)
  const { call } = opened.merchant
  const payOut = async (value: number) => {
    const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
    const { body } = await call('POST', '/v1/payouts', { amount: { currency: 'SLE', value }, destination })
    return until(async () => {
      await rail.advance(300)
      const { status } = (await call('GET', `/v1/payouts/${body.result.id}`)).body.result
      return ['completed', 'failed'].includes(status)
    })
  }
  return {
    ...opened,
    payOut,
    overview: async () => (await call('GET', '/v1/overview')).body.result,
    days: async (days: number) => (await call('GET', `/v1/overview/days?days=${days}`)).body.result,
  }
}

const sums = ({ collected, paidOut, refunded }: Record<'collected' | 'paidOut' | 'refunded', Sum>) =>
  [collected, paidOut, refunded].map(({ amount, count }) => [amount.value, count])
type Sum = { amount: { value: number }; count: number }

describe('an overview', () => {
  test('of a new Space is empty', async () => {
    const { overview } = await shop()
    const { isWhole, today, providers, unknown } = await overview()
    assert.deepEqual([isWhole, today, providers], [true, [], []])
    assert.deepEqual(
      unknown.map(({ of, over10Minutes }: { of: string; over10Minutes: number }) => [of, over10Minutes]),
      [
        ['payments', 0],
        ['payouts', 0],
        ['refunds', 0],
      ],
    )
  })

  test('adds bookings since the last request, and counts the outcomes of payments', async () => {
    const { pay, payOut, refund, ended, overview } = await shop()
    const paid = await pay(3_000)
    const { failureDetail: failure } = await pay(1_000, 'm17', '076000001')
    assert.deepEqual((await overview()).today.map(sums), [
      [
        [3_000, 1],
        [0, 0],
        [0, 0],
      ],
    ])
    await pay(2_000)
    await ended((await refund(paid.id, 500)).body.result.id)
    await payOut(700)
    const { today, providers } = await overview()
    assert.deepEqual(today.map(sums), [
      [
        [5_000, 2],
        [700, 1],
        [500, 1],
      ],
    ])
    assert.deepEqual(providers, [
      { provider: 'm17', completed: 2, failed: 1, underWay: 0, topFailure: failure.code },
    ])
    await t.verify()
  })

  test('has an entry per day, even if the test clock was moved', async () => {
    const { merchant, pay, overview, days } = await shop()
    await pay(1_000)
    await t.advance(merchant.scope, 2 * dayMs)
    await pay(200)
    assert.deepEqual(sums((await overview()).today[0])[0], [200, 1])
    const { days: all } = await days(30)
    assert.deepEqual(
      all.map((day: Parameters<typeof sums>[0]) => sums(day)[0]),
      [
        [1_000, 1],
        [200, 1],
      ],
    )
    assert.equal((await days(1)).days.length, 1)
    const fileOf = async (accept: string) => {
      const headers = {
        authorization: `Bearer ${merchant.token}`,
        'service-space-id': merchant.spaceId,
        accept,
      }
      const answer = await fetch(`${t.baseUrl}/v1/overview/days`, { headers })
      return Buffer.from(await answer.arrayBuffer())
    }
    const csv: string[][] = parse(await fileOf('text/csv'))
    assert.match(String(csv[0]), /^date,currency,collected\.amount/)
    assert.equal(csv.length, 3)
    const [sheet] = readSpreadsheet(
      await fileOf('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    )
    assert.deepEqual(asCsvRows(sheet!), csv)
    assert.equal(sheet!.rows[1]!.A!.format, 'yyyy-mm-dd')
  })

  test('counts objects that have had no outcome for a long time', async () => {
    const { merchant, attempt, overview } = await shop()
    const { find } = await attempt(1_000)
    await until(async () => (await find())?.status === 'processing')
    assert.equal((await overview()).unknown[0].over10Minutes, 0)
    await t.advance(merchant.scope, 11 * 60_000)
    const { unknown, providers } = await overview()
    assert.deepEqual(unknown[0], { of: 'payments', over10Minutes: 1, overHour: 0, overDay: 0 })
    assert.deepEqual(providers, [{ provider: 'm17', completed: 0, failed: 0, underWay: 1, topFailure: null }])
  })

  test('has zeros for days without activity, and the outcomes of each day, on request', async () => {
    const { merchant, pay } = await shop()
    const read = async (path: string) => (await merchant.call('GET', `/v1/overview/${path}`)).body.result
    const empty = (await read('days?days=3&withEmptyDays=true')).days
    assert.deepEqual(
      empty.map((day: Parameters<typeof sums>[0]) => sums(day)[0]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    )
    assert.equal(empty[0].currency, 'SLE')
    await pay(1_000)
    await pay(1_000, 'm17', '076000001')
    await t.advance(merchant.scope, 2 * dayMs)
    await pay(200)
    const { days } = await read('days?days=7&withEmptyDays=true')
    assert.deepEqual(
      days.map((day: Parameters<typeof sums>[0]) => sums(day)[0]![0]),
      [200, 0, 1_000, 0, 0, 0, 0],
    )
    const outcomes = (await read('outcomes?days=4')).days
    assert.deepEqual(
      outcomes.map(({ completed, failed }: Record<string, number>) => [completed, failed]),
      [
        [1, 0],
        [0, 0],
        [1, 1],
        [0, 0],
      ],
    )
    const dates = (some: { date: string }[]) => some.map(({ date }) => date)
    assert.deepEqual(dates(outcomes), dates(days).slice(0, 4))
    for (const query of ['days=0', 'days=9', 'days=x'])
      assert.equal((await merchant.call('GET', `/v1/overview/outcomes?${query}`)).status, 400, query)
  })

  test('counts what needs attention, and only what the caller may read', async () => {
    const { merchant, attempt, pay } = await shop()
    const counts = async (as = merchant) => (await as.call('GET', '/v1/overview/attention')).body.result
    const none = {
      payoutApprovals: 0,
      batchApprovals: 0,
      refundApprovals: 0,
      openCases: 0,
      failingWebhooks: 0,
      unknownOutcomes: 0,
    }
    assert.deepEqual(await counts(), none)
    await pay(5_000)
    await t.app.parts.db.transaction((tx) => setLimit(tx, merchant.scope, 'payout', 'SLE', 100n))
    const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
    const amount = { currency: 'SLE', value: 200 }
    await merchant.call('POST', '/v1/payouts', { amount, destination })
    await merchant.call('POST', '/v1/payout-batches', { name: 'Wages', rows: [{ amount, destination }] })
    const hook = { name: 'Closed', url: 'http://127.0.0.1:1/hook', events: ['*'] }
    const webhook = (await merchant.call('POST', '/v1/webhooks', hook)).body.result
    await merchant.call('POST', `/v1/webhooks/${webhook.id}/ping`, {})
    const { find } = await attempt(1_000)
    await until(async () => (await find())?.status === 'processing')
    await t.advance(merchant.scope, 11 * 60_000)
    const wanted = { ...none, payoutApprovals: 1, batchApprovals: 1, failingWebhooks: 1, unknownOutcomes: 1 }
    await until(async () => (await counts()).failingWebhooks === 1)
    assert.deepEqual(await counts(), wanted)
    const support = await t.merchant({ sameSpaceAs: merchant, role: 'support' })
    assert.deepEqual(await counts(support), {
      ...none,
      payoutApprovals: null,
      batchApprovals: null,
      openCases: null,
      failingWebhooks: 1,
      unknownOutcomes: null,
    })
    assert.deepEqual(await counts(await t.merchant()), none)
  })

  test('counts nothing twice in concurrent requests, and only the Space’s own data', async () => {
    const { pay, overview } = await shop()
    const other = await shop()
    for (let i = 0; i < 5; i++) await pay(100)
    await other.pay(7)
    const overviews = await Promise.all(Array.from({ length: 8 }, overview))
    assert.ok(overviews.every(({ today }) => !today[0] || today[0].collected.amount.value <= 500))
    assert.deepEqual(sums((await overview()).today[0])[0], [500, 5])
    assert.deepEqual(sums((await other.overview()).today[0])[0], [7, 1])
    await t.verify()
  })

  test('is summed hourly for all Spaces, without any request', async () => {
    const { merchant, pay } = await shop()
    await pay(100)
    await sumNewLinesOfAllSpaces(t.app.parts.db, new AbortController().signal)
    const { spaceId, environment } = merchant.scope
    const rows = await t.app.parts.db.query<{ type: string; count: bigint }>(sql`
      select type, count from clearing_days where space_id = ${spaceId} and environment = ${environment}`)
    assert.deepEqual(rows, [{ type: 'payment', count: 1n }])
  })

  test('with altered totals is found by the integrity checks', async () => {
    const { merchant, pay, overview } = await shop()
    await pay(100)
    await overview()
    const alter = (by: number) =>
      t.app.parts.db.query(sql`
        update clearing_days set amount = amount + ${by}
        where space_id = ${merchant.scope.spaceId} and environment = 'test'`)
    await alter(1)
    await assert.rejects(t.verify(), /the daily totals of every clearing account/)
    await alter(-1)
    await t.verify()
  })

  test('requires permission to read balances', async () => {
    const owner = await t.merchant()
    for (const [role, status] of Object.entries({ finance: 200, developer: 200, support: 403, viewer: 403 }))
      assert.equal(
        (await (await t.merchant({ sameSpaceAs: owner, role })).call('GET', '/v1/overview')).status,
        status,
      )
    for (const query of ['days=0', 'days=93', 'days=x', 'day=1'])
      assert.equal((await owner.call('GET', `/v1/overview/days?${query}`)).status, 400, query)
  })
})
