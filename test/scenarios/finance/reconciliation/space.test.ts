import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { parse } from 'csv-parse/sync'
import { closeItem } from '../../../../packages/server/src/finance/reconciliation/closings.ts'
import { closeDay, providerLocale } from '../../../../packages/server/src/finance/reconciliation/days.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { asCsvRows, readSpreadsheet } from '../../../support/spreadsheet.ts'
import { createBookkeeping } from './statements.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db, catalogue } = t.app.parts
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})

const dayMs = 86_400_000
const noon = (Math.floor(Date.now() / dayMs) + 1.5) * dayMs
const at = (hours: number) => new Date(noon + hours * 3_600_000)
const date = at(0).toISOString().slice(0, 10)
const covered = { from: at(-13), until: at(20), at: at(20) }

const daysOf = async (merchant: Merchant, query = `from=${date}&to=${date}`) =>
  (await merchant.call('GET', `/v1/reconciliation/days?${query}`)).body.result.days
/** Returns the lines of a list as CSV, or another file. */
async function download(path: string, accept = 'text/csv') {
  const [merchant] = downloaders
  const { token = '', spaceId = '' } = merchant ?? {}
  const headers = { authorization: `Bearer ${token}`, 'service-space-id': spaceId, accept }
  const bytes = Buffer.from(await (await fetch(t.baseUrl + path, { headers })).arrayBuffer())
  return { text: bytes.toString(), bytes }
}
const downloaders: Merchant[] = []
const itemsOf = async (merchant: Merchant, query = `date=${date}&provider=m17`): Promise<Item[]> =>
  (await merchant.call('GET', `/v1/reconciliation/items?${query}`)).body.result
type Item = { state: string; objectId: string; direction: string; amount: { value: number } }
type Day = {
  state: string
  count: number
  amount: { value: number }
  open: { count: number; estimated: boolean }
}
const inShort = (days: Day[]) =>
  days.map(({ state, count, amount, open }) => [state, count, amount.value, open.count, open.estimated])

describe('a Space’s reconciliation', () => {
  const shops: Merchant[] = []
  const payments: { id: string; reference: string }[][] = []

  before(async () => {
    for (const values of [[1_000, 2_000], [4_000]]) {
      const merchant = await t.merchant()
      // All times are around the day's noon, whenever this runs.
      await t.advance(merchant.scope, noon - t.app.parts.clock.now(merchant.scope).getTime())
      shops.push(merchant)
      downloaders.push(merchant)
      const paid: { id: string; reference: string }[] = []
      for (const value of values) paid.push(await bookkeeping.pay(merchant, value))
      payments.push(paid)
    }
  })
  const [one, other] = [() => must(shops[0], 'shop'), () => must(shops[1], 'shop')]

  test('is awaited until statements cover the day without a gap and are matched', async () => {
    assert.deepEqual(inShort(await daysOf(one())), [['awaited', 2, 3_000, 0, false]])
    await bookkeeping.import([], { from: at(-13), until: at(3), at: at(20) })
    await bookkeeping.reconcile()
    assert.deepEqual(inShort(await daysOf(one())), [['awaited', 2, 3_000, 2, false]])
    await bookkeeping.import([], { from: at(4), until: at(20), at: at(20) })
    assert.deepEqual(inShort(await daysOf(one())), [['awaited', 2, 3_000, 2, false]])
    await bookkeeping.import([], { from: at(3), until: at(4), at: at(20) })
    assert.deepEqual(inShort(await daysOf(one())), [['differs', 2, 3_000, 2, false]])
    assert.deepEqual(await daysOf(one(), 'from=2020-01-01&to=2020-01-31'), [])
  })

  test('shows lines that are on no statement, only to the Space that they belong to', async () => {
    const [matched, missing] = [must(payments[0]?.[0], 'payment'), must(payments[0]?.[1], 'payment')]
    await bookkeeping.import(
      [
        { id: '1', reference: matched.reference, at: at(0), value: 1_000 },
        // A line in the operator's account, which belongs to no Space.
        { id: '2', reference: 'nobody', at: at(1), value: 700 },
      ],
      covered,
    )
    await bookkeeping.reconcile()
    assert.deepEqual(inShort(await daysOf(one())), [['differs', 2, 3_000, 1, false]])
    assert.deepEqual(
      (await itemsOf(one())).map(({ amount, objectId, state }) => [amount, objectId, state]),
      [[{ currency: 'SLE', value: 2_000 }, missing.id, 'differs']],
    )
    assert.deepEqual(inShort(await daysOf(other())), [['differs', 1, 4_000, 1, false]])
    const foreign = must(payments[1]?.[0], 'payment')
    assert.deepEqual(
      (await itemsOf(other())).map(({ objectId }) => objectId),
      [foreign.id],
    )
    const elsewhere = [await t.merchant(), await t.merchant({ sameUserAs: one(), environment: 'live' })]
    for (const merchant of elsewhere) {
      assert.deepEqual(await daysOf(merchant), [])
      assert.deepEqual(await itemsOf(merchant), [])
    }
  })

  test('is matched if every line is, awaited again if more is booked, and closed once the operator has signed off the day', async () => {
    const references = payments.flat().map(({ reference }) => reference)
    const lines = [1_000, 2_000, 4_000].map((value, i) => ({
      ...{
        id: `${i === 0 ? 1 : i + 10}`,
        reference: must(references[i], 'reference'),
        at: at(i / 10),
        value,
      },
    }))
    await bookkeeping.import(lines, covered)
    await bookkeeping.reconcile()
    assert.deepEqual(inShort(await daysOf(one())), [['matched', 2, 3_000, 0, false]])
    assert.deepEqual(await itemsOf(one()), [])
    await bookkeeping.pay(one(), 500)
    assert.deepEqual(inShort(await daysOf(one())), [['awaited', 3, 3_500, 0, false]])
    const { openItems } = await bookkeeping.reconcile()
    for (const { name } of openItems.items)
      await db.transaction((tx) => closeItem(tx, name, { by: 'kadi@shop.example', reason: 'Known' }, at(20)))
    const place = providerLocale(must(catalogue.find('m17'), 'provider'))
    const decider = { by: 'kadi@shop.example', reason: 'Compared' }
    await db.transaction((tx) => closeDay(tx, { ...bookkeeping.extent, day: date }, place, decider, at(48)))
    assert.deepEqual(inShort(await daysOf(one())), [['closed', 3, 3_500, 0, false]])
    assert.deepEqual(inShort(await daysOf(other())), [['closed', 1, 4_000, 0, false]])
  })

  test('signs open items like bookings: items add up to the day’s open amount, and money out is subtracted from money in', async () => {
    const merchant = await t.merchant()
    await t.advance(merchant.scope, noon - t.app.parts.clock.now(merchant.scope).getTime())
    await bookkeeping.pay(merchant, 3_000)
    const toBank = {
      ...{ kind: 'payout_to_bank', providerId: 'm17', amount: { currency: 'SLE', value: 1_000 } },
      ...{ bankReference: 'FT27', valueDate: '2026-01-31' },
    }
    assert.equal((await merchant.call('POST', '/v1/settlements', toBank)).status, 200)
    await bookkeeping.reconcile()
    const [day] = await daysOf(merchant)
    assert.deepEqual([day.count, day.amount.value], [2, 2_000])
    assert.deepEqual([day.open.count, day.open.amount.value], [2, 2_000])
    const inDirection = async (direction: string) => {
      const items = await itemsOf(merchant, `date=${date}&provider=m17&direction=${direction}`)
      assert.ok(items.every((item) => item.direction === direction))
      return items.map(({ amount }) => amount.value)
    }
    assert.deepEqual(await inDirection('collection'), [-1_000, 3_000])
    assert.deepEqual(await inDirection('disbursement'), [])
  })

  test('lists open items page by page, each once, for all days or for one, by state', async () => {
    const merchant = await t.merchant()
    const place = merchant.scope
    await t.advance(place, noon - t.app.parts.clock.now(place).getTime())
    for (const value of [100, 200, 300]) await bookkeeping.pay(merchant, value)
    // Booked on the next day, which no statement covers.
    await t.advance(place, dayMs)
    for (const value of [400, 500]) await bookkeeping.pay(merchant, value)
    await bookkeeping.reconcile()

    const values = (items: Item[]) => items.map(({ amount }) => amount.value)
    const inPages: number[][] = []
    let after = ''
    do {
      const { body } = await merchant.call('GET', `/v1/reconciliation/items?limit=2${after}`)
      inPages.push(values(body.result))
      after = body.pagination.next && `&after=${encodeURIComponent(body.pagination.next)}`
    } while (after)
    assert.deepEqual(inPages, [[500, 400], [300, 200], [100]])
    assert.deepEqual(values(await itemsOf(merchant)), [300, 200, 100])
    assert.deepEqual(values(await itemsOf(merchant, 'state=awaited')), [500, 400])
    assert.deepEqual(values(await itemsOf(merchant, 'state=differs')), [300, 200, 100])
    assert.deepEqual(await itemsOf(merchant, `state=awaited&date=${date}`), [])
    assert.deepEqual(await itemsOf(merchant, 'provider=m18'), [])
  })

  test('400 for invalid, too many or reversed days, and for an unknown provider', async () => {
    const issues: [string, string][] = [
      ['/days?from=2026-13-01', 'from'],
      ['/days?from=0000-01-01&to=0000-01-02', 'from'],
      ['/days?to=0000-01-02', 'from'],
      ['/days?to=99999-01-02', 'to'],
      ['/days?from=2026-11-02&to=2026-11-01', 'from'],
      ['/days?from=2026-10-01&to=2026-11-01', 'from'],
      ['/items?date=today&provider=m17', 'date'],
      ['/items?date=2026-11-01&provider=nobody', 'provider'],
      ['/items?state=closed', 'state'],
      ['/items?direction=up', 'direction'],
    ]
    for (const [query, param] of issues) {
      const { status, body } = await one().call('GET', `/v1/reconciliation${query}`)
      assert.equal(status, 400, query)
      assert.deepEqual(
        body.error.details.map((detail: { param: string }) => detail.param),
        [param],
      )
    }
    assert.equal(
      (await one().call('GET', '/v1/reconciliation/days?from=2026-10-01&to=2026-10-31')).status,
      200,
    )
  })

  test('is also available as CSV and XLSX', async () => {
    const path = `/v1/reconciliation/days?from=${date}&to=${date}`
    const { text } = await download(path)
    assert.match(text, /^date,provider,direction,count,amount\.currency,amount\.value,/)
    assert.match(text, new RegExp(`\n${date},m17,collection,3,SLE,3500,`))
    const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const [sheet] = readSpreadsheet((await download(path, xlsx)).bytes)
    assert.deepEqual(asCsvRows(sheet!), parse(text))
  })

  test('403 without permission to read balances', async () => {
    const developer = await t.merchant({ sameSpaceAs: one(), scopes: ['payments:read'] })
    for (const path of ['/days', `/items?date=${date}&provider=m17`])
      assert.equal((await developer.call('GET', `/v1/reconciliation${path}`)).status, 403)
  })
})
