import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { unzipSync } from 'fflate'
import { readInstallationMonth } from '../../../../packages/server/src/finance/month-end/installation-month.ts'
import { closeDay, providerLocale } from '../../../../packages/server/src/finance/reconciliation/days.ts'
import { openAccount } from '../../../../packages/server/src/ledger/accounts/new-account.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createBookkeeping } from '../reconciliation/statements.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db, catalogue } = t.app.parts
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})

const dayMs = 86_400_000
const today = new Date()
const startOf = (months: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1)
const monthOf = (months: number) => new Date(startOf(months)).toISOString().slice(0, 'yyyy-mm'.length)
/** Returns a time on a day of the month that begins this many months from now. */
const on = (months: number, day: number, hour = 12) =>
  new Date(startOf(months) + (day - 1) * dayMs + hour * 3_600_000)
const dateOf = (months: number, day: number) => on(months, day).toISOString().slice(0, 'yyyy-mm-dd'.length)

const url = '/v1/month-end'
const read = async (merchant: Merchant, query = '') =>
  (await merchant.call('GET', `${url}${query}`)).body.result
type Day = { date: string; state: string; providers: string[] }
/** Returns the days with something to reconcile. */
const busyDays = ({ days }: { days: Day[] }) =>
  days
    .filter(({ state }) => state !== 'none')
    .map(({ date, state, providers }) => [date, state, ...providers])

/** Moves the Space's clock to this time. */
const moveTo = (merchant: Merchant, time: Date) =>
  t.advance(merchant.scope, time.getTime() - t.app.parts.clock.now(merchant.scope).getTime())

const download = ({ token, spaceId }: Merchant, path: string, accept: string) =>
  fetch(t.baseUrl + path, {
    headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId, accept },
  })
const unzipped = async (merchant: Merchant, query = '') => {
  const response = await download(merchant, `${url}${query}`, 'application/zip')
  assert.equal(response.headers.get('content-type'), 'application/zip')
  return unzipSync(new Uint8Array(await response.arrayBuffer()))
}
const textOf = (file: Uint8Array | undefined) => Buffer.from(file ?? []).toString()

describe('the month-end of a Space', () => {
  let shop: Merchant
  before(async () => {
    shop = await t.merchant()
    const paid: string[] = []
    for (const day of [2, 3, 4, 5]) {
      await moveTo(shop, on(1, day))
      paid.push((await bookkeeping.pay(shop, 1_000)).reference)
    }
    await moveTo(shop, on(1, 6))
    const lines = paid
      .slice(0, 2)
      .map((reference, i) => ({ id: `${i}`, reference, at: on(1, i + 2), value: 1_000 }))
    await bookkeeping.import(lines, { from: on(1, 1, 0), until: on(1, 5, 0), at: on(1, 6) })
    await bookkeeping.reconcile()
    const place = providerLocale(must(catalogue.find('m17'), 'provider'))
    const decider = { by: 'kadi@operator.example', reason: 'Compared' }
    const day = { ...bookkeeping.extent, day: dateOf(1, 2) }
    await db.transaction((tx) => closeDay(tx, day, place, decider, on(1, 6)))
  })

  test('shows each day as closed, matched, different or awaited, and what each needs', async () => {
    const month = await read(shop, `?month=${monthOf(1)}`)
    assert.equal(month.month, monthOf(1))
    assert.equal(month.today, dateOf(1, 6))
    assert.equal(month.days.length, new Date(startOf(2) - dayMs).getUTCDate())
    assert.deepEqual(busyDays(month), [
      [dateOf(1, 2), 'closed', 'm17'],
      [dateOf(1, 3), 'matched', 'm17'],
      [dateOf(1, 4), 'differs', 'm17'],
      [dateOf(1, 5), 'awaited', 'm17'],
    ])
    assert.deepEqual(month.providers, [
      { provider: 'm17', endedDays: 4, closedDays: 1, missing: [dateOf(1, 5)], matched: [dateOf(1, 3)] },
    ])
    assert.deepEqual(month.differences, [
      {
        ...{ date: dateOf(1, 4), provider: 'm17', direction: 'collection', count: 1 },
        ...{ amount: { currency: 'SLE', value: 1_000 }, estimated: false },
      },
    ])
    const [signature, ...others] = month.signatures
    assert.deepEqual(
      [signature.by, signature.days, signature.time, others],
      [null, 1, on(1, 6).toISOString(), []],
    )
  })

  test('compares settlements with the statements of providers, and shows what providers owe', async () => {
    const money = (value: number) => ({ currency: 'SLE', value })
    const toBank = { kind: 'payout_to_bank', providerId: 'm17', amount: money(700), valueDate: dateOf(1, 6) }
    const body = { ...toBank, bankReference: 'FT-month-1' }
    assert.equal((await shop.call('POST', '/v1/settlements', body)).status, 200)
    const settlementsOf = async () => {
      const { settlements, owed } = await read(shop, `?month=${monthOf(1)}`)
      return { settlements, owed }
    }
    const owed = [{ provider: 'm17', direction: 'collection', amount: money(3_300), paidSince: money(0) }]
    const booked = { count: 1, amount: money(700) }
    const row = { provider: 'm17', kind: 'payout_to_bank', booked }
    const none = { count: 0, amount: money(0) }
    assert.deepEqual(await settlementsOf(), { settlements: [{ ...row, stated: none }], owed })
    const line = {
      id: 'bank',
      reference: 'FT-month-1',
      at: on(1, 6),
      value: 700,
      way: 'disbursement' as const,
    }
    await bookkeeping.import([line], { from: on(1, 6, 0), until: on(1, 7, 0), at: on(1, 7) })
    await bookkeeping.reconcile()
    assert.deepEqual(await settlementsOf(), { settlements: [{ ...row, stated: booked }], owed })
  })

  test('is that of the last complete month by default, or of the current one if nothing moved before', async () => {
    assert.equal((await read(shop)).month, monthOf(1))
    const fresh = await t.merchant()
    const month = await read(fresh)
    assert.equal(month.month, monthOf(0))
    assert.deepEqual([busyDays(month), month.providers, month.owed], [[], [], []])
    await moveTo(shop, on(2, 1))
    const last = await read(shop)
    assert.deepEqual([last.month, last.today], [monthOf(1), dateOf(2, 1)])
  })

  test('as a ZIP file, contains the statement of each account and the reports, as they are on their own', async () => {
    const { result: accounts } = (await shop.call('GET', '/v1/financial-accounts')).body
    const [{ id, uvan }] = accounts
    const files = await unzipped(shop, `?month=${monthOf(1)}`)
    const folder = monthOf(1)
    assert.deepEqual(Object.keys(files).toSorted(), [
      `${folder}/balances.csv`,
      `${folder}/fees.csv`,
      `${folder}/lines.csv`,
      `${folder}/reconciliation.csv`,
      `${folder}/settlement.csv`,
      `${folder}/statements/${uvan}.csv`,
      `${folder}/statements/${uvan}.pdf`,
    ])
    const range = `from=${on(1, 1, 0).toISOString()}&to=${on(2, 1, 0).toISOString()}`
    const csvOf = async (path: string) => (await download(shop, `${path}?${range}`, 'text/csv')).text()
    assert.equal(
      textOf(files[`${folder}/statements/${uvan}.csv`]),
      await csvOf(`/v1/financial-accounts/${id}/statement`),
    )
    for (const report of ['fees', 'settlement', 'balances', 'lines'])
      assert.equal(textOf(files[`${folder}/${report}.csv`]), await csvOf(`/v1/reports/${report}`), report)
    assert.match(
      textOf(files[`${folder}/reconciliation.csv`]),
      new RegExp(`\\n${dateOf(1, 4)},m17,collection,1,`),
    )
    assert.match(textOf(files[`${folder}/statements/${uvan}.pdf`]), /^%PDF-/)
  })

  test('as a ZIP file, has no statements for a token that may not read transactions', async () => {
    const reader = await t.merchant({ sameSpaceAs: shop, scopes: ['balances:read'] })
    const files = await unzipped(reader, `?month=${monthOf(1)}`)
    assert.deepEqual(
      Object.keys(files).filter((name) => name.includes('statements')),
      [],
    )
    assert.equal(Object.keys(files).length, 4)
  })

  test('400 for a ZIP file of more than 500 accounts', async () => {
    const large = await t.merchant()
    const now = t.app.parts.clock.now(large.scope)
    await db.transaction(async (tx) => {
      for (let i = 0; i < 501; i++)
        await openAccount(tx, large.scope, { name: `Stall ${i}`, currency: 'SLE' }, now)
    })
    const { status, body } = await large.call('GET', url, undefined, { accept: 'application/zip' })
    assert.equal(status, 400)
    const [{ param, errors }] = body.error.details
    assert.equal(param, 'month')
    assert.match(errors[0], /more than 500 accounts/)
  })

  test('400 for a month that does not exist, is in the future or long past', async () => {
    const bad = ['2026-13', '2026-00', '26-10', '2026-10-01', 'last', '1999-12', '0000-01', monthOf(3)]
    for (const month of bad)
      for (const accept of ['application/json', 'application/zip']) {
        const { status, body } = await shop.call('GET', `${url}?month=${month}`, undefined, { accept })
        assert.equal(status, 400, `${month} ${accept}`)
        assert.deepEqual(
          body.error.details.map(({ param }: { param: string }) => param),
          ['month'],
        )
      }
    assert.equal((await shop.call('GET', `${url}?month=2000-01`)).status, 200)
  })

  test('shows nothing of other Spaces or of the other environment', async () => {
    const elsewhere = [await t.merchant(), await t.merchant({ sameUserAs: shop, environment: 'live' })]
    for (const merchant of elsewhere) {
      const month = await read(merchant)
      assert.deepEqual([busyDays(month), month.settlements, month.owed, month.signatures], [[], [], [], []])
    }
  })

  test('403 without permission to read balances', async () => {
    const developer = await t.merchant({ sameSpaceAs: shop, scopes: ['payments:read'] })
    for (const accept of ['application/json', 'application/zip'])
      assert.equal((await download(developer, url, accept)).status, 403)
  })
})

describe('the month-end of the installation', () => {
  let operator: Merchant
  const installation = '/v1/installation/month-end?environment=test'
  const place = { environment: 'test', providerId: 'm18' }
  before(async () => {
    operator = await t.merchant({ isOperator: true })
    const line = `${dateOf(-1, 4)}T10:00:00Z,nobody,collection,5.00,SLE,SUCCESSFUL,m18-4242`
    const csv = `date,reference,type,amount,currency,status,transaction_id\n${line}\n`
    const period = { from: on(-1, 2, 0).toISOString(), until: on(-1, 5, 0).toISOString() }
    const statement = { ...place, mapping: 'simulator', csv, ...period }
    assert.equal((await operator.call('POST', '/v1/installation/statements', statement)).status, 200)
    const closing = { ...place, day: dateOf(-1, 2), reason: 'Compared' }
    await until(async () => {
      const { status } = await operator.call('POST', '/v1/installation/closed-days', closing)
      return status === 200
    })
  })
  const readAll = async (query = '') => (await operator.call('GET', `${installation}${query}`)).body.result

  test('shows the days of each provider since its first statement, with who signed them', async () => {
    const month = await readAll()
    assert.equal(month.month, monthOf(-1))
    assert.deepEqual(busyDays(month).slice(0, 4), [
      [dateOf(-1, 2), 'closed', 'm18'],
      [dateOf(-1, 3), 'matched', 'm18'],
      [dateOf(-1, 4), 'differs', 'm18'],
      [dateOf(-1, 5), 'awaited', 'm18'],
    ])
    const [{ provider, closedDays, matched, missing, endedDays }] = month.providers
    const lastDay = new Date(startOf(0) - dayMs).getUTCDate()
    assert.deepEqual([provider, closedDays, matched], ['m18', 1, [dateOf(-1, 3)]])
    assert.deepEqual([missing[0], missing.length, endedDays], [dateOf(-1, 5), lastDay - 4, lastDay - 1])
    assert.deepEqual(month.differences, [
      {
        ...{ date: dateOf(-1, 4), provider: 'm18', direction: 'collection', count: 1 },
        ...{ amount: { currency: 'SLE', value: 500 }, estimated: false },
      },
    ])
    assert.match(month.signatures[0].by, /@shop\.example$/)
  })

  test('shows what providers owe in all Spaces', async () => {
    const { owed } = await readAll(`&month=${monthOf(0)}`)
    const [m17] = owed.filter(({ provider }: { provider: string }) => provider === 'm17')
    assert.equal(m17.amount.value, 3_300)
  })

  test('400 for an invalid month or without an environment, and 403 for members', async () => {
    for (const month of ['2026-13', monthOf(2), '1999-12'])
      assert.equal((await operator.call('GET', `${installation}&month=${month}`)).status, 400, month)
    assert.equal((await operator.call('GET', '/v1/installation/month-end')).status, 400)
    const member = await t.merchant()
    assert.equal((await member.call('GET', installation)).status, 403)
  })

  test('a day with bookings that reconciliation has not read yet is not matched', async () => {
    const late = await t.merchant()
    await moveTo(late, on(1, 3))
    const day = dateOf(1, 3)
    const read = async () => {
      const query = { environment: 'test', month: monthOf(1) } as const
      const { providers, differences } = await readInstallationMonth({ db, catalogue }, query, on(1, 8))
      return {
        isMatched: providers.some(({ provider, matched }) => provider === 'm17' && matched.includes(day)),
        differences: differences.filter(({ date }) => date === day).map(({ amount }) => amount.value),
      }
    }
    await bookkeeping.reconcile()
    assert.deepEqual(await read(), { isMatched: true, differences: [] })
    await bookkeeping.pay(late, 500)
    assert.deepEqual(await read(), { isMatched: false, differences: [] })
    await bookkeeping.reconcile()
    assert.deepEqual(await read(), { isMatched: false, differences: [500] })
  })

  test('of a month that is over shows what providers owed at its end, in one Space and in all', async () => {
    const later = await t.merchant()
    const query = `?month=${monthOf(1)}`
    const owedInAll = async () => {
      const month = { environment: 'test', month: monthOf(1) } as const
      const { owed } = await readInstallationMonth({ db, catalogue }, month, on(2, 3))
      return owed.find(({ provider }) => provider === 'm17')?.amount.value
    }
    const owedInSpace = async (of: string) =>
      (await read(later, of)).owed.flatMap((one: Record<'amount' | 'paidSince', { value: number }>) => [
        one.amount.value,
        one.paidSince.value,
      ])
    await moveTo(later, on(1, 20))
    await bookkeeping.pay(later, 1_000)
    await moveTo(later, on(2, 1, 1))
    assert.deepEqual(await owedInSpace(query), [1_000, 0])
    const before = await owedInAll()
    await bookkeeping.pay(later, 500)
    assert.equal(await owedInAll(), before, 'a booking that is not summed yet')
    assert.deepEqual(await owedInSpace(query), [1_000, 0])
    assert.equal(await owedInAll(), before)
    assert.deepEqual(await owedInSpace(`?month=${monthOf(2)}`), [1_500, 0])
    const toBank = { kind: 'payout_to_bank', providerId: 'm17', bankReference: 'FT-month-2' }
    const amount = { currency: 'SLE', value: 700 }
    await later.call('POST', '/v1/settlements', { ...toBank, amount, valueDate: dateOf(2, 1) })
    assert.deepEqual(await owedInSpace(query), [1_000, 700], 'paid after the month')
    assert.deepEqual(await owedInSpace(`?month=${monthOf(2)}`), [800, 0])
  })
})
