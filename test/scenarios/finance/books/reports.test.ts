import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { parse } from 'csv-parse/sync'
import { getDocumentProxy } from 'unpdf'
import {
  clearingPurpose,
  mainAccount,
  systemAccounts,
} from '../../../../packages/server/src/ledger/accounts/accounts.ts'
import { type Movement, post } from '../../../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { newId } from '../../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db, clock } = t.app.parts
assert.ok(paymentIds && payoutIds)

const dayMs = 86_400_000
const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
const around = `from=${at(-1)}&to=${at(1)}`

const read = async (merchant: Merchant, path: string) => {
  const { status, body } = await merchant.call('GET', path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.result
}
const csvOf = async (merchant: Merchant, path: string) => {
  const headers = {
    authorization: `Bearer ${merchant.token}`,
    'service-space-id': merchant.spaceId,
    accept: 'text/csv',
  }
  return (await fetch(t.baseUrl + path, { headers })).text()
}
/** Returns the text of a PDF, and the targets of its links. */
async function pdfOf(merchant: Merchant, path: string, language: string) {
  const headers = {
    authorization: `Bearer ${merchant.token}`,
    'service-space-id': merchant.spaceId,
    accept: 'application/pdf',
    'accept-language': language,
  }
  const bytes = await (await fetch(t.baseUrl + path, { headers })).arrayBuffer()
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1)
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
  const links = (await page.getAnnotations()).map(({ url }) => url)
  return { text: text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' '), links }
}
const values = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value && 'value' in value ? [[name, value.value]] : [],
    ),
  )

/** Makes a payment of 30 000 and a payout of 4 000, both through m17 and with fees. */
async function trade(merchant: Merchant) {
  const item = { name: 'Cloth', price: { currency: 'SLE', value: 30_000 } }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems: [item] }))
    .body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076123456')
  await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  const payout = {
    amount: { currency: 'SLE', value: 4_000 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
  }
  const { id } = (await merchant.call('POST', '/v1/payouts', payout)).body.result
  await until(async () => {
    await rail.advance(300)
    return (await read(merchant, `/v1/payouts/${id}`)).status === 'completed'
  })
}

describe('reports of money moved by providers', () => {
  let merchant: Merchant
  /** A Space with movements from two days ago, by its clock. */
  let later: Merchant
  before(async () => {
    merchant = await t.merchant()
    for (const code of ['payment', 'payout'])
      await db.pool.query(
        `insert into fee_rules (space_id, environment, code, ppm, minimums) values ($1, 'test', $2, 10000, '{}')`,
        [merchant.scope.spaceId, code],
      )
    await trade(merchant)
    later = await t.merchant()
    await trade(later)
    await t.advance(later.scope, 2 * dayMs)
  })

  test('an account statement shows the kind, provider, direction and object of each line', async () => {
    const [{ id: account }] = await read(merchant, '/v1/financial-accounts')
    const path = `/v1/financial-accounts/${account}/statement?${around}`
    const [{ id: payment }] = await read(merchant, '/v1/payments')
    const [{ id: payout }] = await read(merchant, '/v1/payouts')
    const url = (object: string) => `${t.baseUrl}/console/${merchant.spaceId}/test/${object}`
    const collected = ['m17', 'collection', url(`payments/${payment}`)]
    const paidOut = ['m17', 'disbursement', url(`payouts/${payout}`)]
    const expected = [
      ['credit', 'payment', '', ...collected],
      ['debit', 'fee', 'payment', ...collected],
      ['debit', 'payout', '', ...paidOut],
      ['debit', 'fee', 'payout', ...paidOut],
    ]
    const { lines } = await read(merchant, path)
    assert.deepEqual(
      lines.map(({ type, kind, feeCode, providerId, direction, owner }: Record<string, unknown>) => [
        ...[type, kind, feeCode ?? '', providerId, direction],
        (owner as { url: string }).url,
      ]),
      expected,
    )
    const rows: Record<string, string>[] = parse(await csvOf(merchant, path), { columns: true })
    assert.deepEqual(
      rows
        .slice(1, -3)
        .map((row) => [row.type, row.kind, row.feeCode, row.providerId, row.direction, row['owner.url']]),
      expected,
    )
    const english = await pdfOf(merchant, path, 'en')
    for (const part of [
      `Payment Le 300.00 Le 300.00`,
      `Payment fee -Le 3.00 Le 297.00`,
      `Payout fee -Le 0.40 Le 256.60`,
      `Orange Money, collections ${payment}`,
      `Orange Money, disbursements ${payout}`,
    ])
      assert.ok(english.text.includes(part), `${part}: ${english.text}`)
    assert.deepEqual(
      english.links.filter((link) => link.includes('/console/')),
      [collected, collected, paidOut, paidOut].map((of) => of.at(-1)),
    )
    const french = await pdfOf(merchant, path, 'fr')
    for (const part of ['Frais de paiement', 'Frais de versement', 'Orange Money, encaissements'])
      assert.ok(french.text.includes(part), `${part}: ${french.text}`)
  })

  test('no report covers a day that has not begun', async () => {
    const rows = await read(merchant, `/v1/reports/settlement?from=${at(-1)}&to=${at(9)}`)
    assert.ok(rows.length > 0 && rows.every(({ from }: { from: string }) => new Date(from) <= new Date()))
  })

  test('GET /v1/reports/settlement has the amounts collected, paid out and charged, and the expected balance at the provider', async () => {
    const rows = await read(merchant, `/v1/reports/settlement?${around}`)
    // The next day has only the expected balance.
    const moved = rows.filter(({ count }: { count: number }) => count > 0)
    const none = { expectedBefore: 0, collected: 0, refunded: 0, paidOut: 0, settled: 0, other: 0 }
    assert.deepEqual(
      moved.map((row: Record<string, unknown>) => ({
        of: `${row.provider} ${row.direction} ${row.count}`,
        ...values(row),
      })),
      [
        { of: 'm17 collection 1', ...none, collected: 30_000, expected: 30_000, fees: 300 },
        { of: 'm17 disbursement 1', ...none, paidOut: 4_000, expected: -4_000, fees: 40 },
      ],
    )
  })

  test("a day starts with the previous day's expected balance, to the last unit", async () => {
    const rows = await read(later, `/v1/reports/settlement?from=${at(-1)}&to=${at(3)}&provider=m17`)
    const last = new Map<string, number>()
    for (const row of rows) {
      assert.equal(row.expectedBefore.value, last.get(row.direction) ?? 0)
      last.set(row.direction, row.expected.value)
    }
    assert.ok(rows.length >= 6)
    assert.deepEqual([...last.values()], [30_000, -4_000])
  })

  test('movements that no slice names are shown as other, and the row still adds up', async () => {
    const other = await t.merchant()
    const { scope } = other
    const now = clock.now(scope)
    await db.transaction(async (tx) => {
      const [clearing = ''] = await systemAccounts(tx, [
        { scope, currency: 'SLE', at: now, ...clearingPurpose('m18', 'collection') },
      ])
      const main = await mainAccount(tx, scope, 'SLE', now)
      const movements: Movement[] = [
        { accountId: clearing, amount: -77n },
        { accountId: main, amount: 77n },
      ]
      const owners = [{ type: 'checkout_session', id: newId(now) }]
      await post(tx, scope, { reference: newReference(now), at: now, owners, movements })
    })
    const [row] = await read(other, `/v1/reports/settlement?${around}`)
    assert.deepEqual([row.other.value, row.collected.value, row.expected.value], [77, 0, 77])
  })

  test('GET /v1/reports/fees has the fees by code, provider and currency', async () => {
    const rows = await read(merchant, `/v1/reports/fees?${around}`)
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [
        row.code,
        row.provider,
        row.direction,
        row.count,
        values(row),
      ]),
      [
        ['payment', 'm17', 'collection', 1, { charged: 300, returned: 0, amount: 300 }],
        ['payout', 'm17', 'disbursement', 1, { charged: 40, returned: 0, amount: 40 }],
      ],
    )
  })

  test('GET /v1/reports/balances has the balance of each account at the end of each day or month', async () => {
    const main = (await read(later, '/v1/financial-accounts'))[0].id
    const rows = await read(
      later,
      `/v1/reports/balances?from=${at(-2)}&to=${at(2)}&financialAccountId=${main}`,
    )
    const balances: number[] = rows.map((row: { balance: { value: number } }) => row.balance.value)
    assert.equal(balances.at(-1), 30_000 - 300 - 4_000)
    assert.ok(
      rows.length >= 2 &&
        rows.every((row: { financialAccountId: string }) => row.financialAccountId === main),
    )
    const months = await read(later, `/v1/reports/balances?from=${at(-60)}&to=${at(1)}&interval=month`)
    assert.equal(months.at(-1).date.slice(-2), '01')
  })

  test('each report is paged with every row once, and has the same rows as CSV', async () => {
    await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
    await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent in CFA', currency: 'XOF' })
    for (const report of ['fees', 'settlement', 'balances']) {
      const path = `/v1/reports/${report}?from=${at(-3)}&to=${at(3)}`
      const whole = await read(merchant, `${path}&limit=50`)
      assert.ok(whole.length >= 2)
      const rows: object[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { body } = await merchant.call('GET', `${path}&limit=1&after=${after}`)
        rows.push(...body.result)
        after = body.pagination.next
      }
      assert.deepEqual(rows, whole)
      const csv: Record<string, string>[] = parse(await csvOf(merchant, path), { columns: true })
      assert.equal(csv.length, whole.length)
      if (report === 'settlement')
        // A number, not a formula: a paid-out amount is owed until it is settled.
        assert.deepEqual(
          [csv.at(-1)?.['expected.value'], csv.at(-1)?.['expected.decimal']],
          ['-4000', '-40.00'],
        )
    }
  })

  test('a report on a past range is byte-for-byte the same later, whatever is posted', async () => {
    // To the end of the day: a report does not include days that have not begun, and the next one begins here.
    const tomorrow = at(1).slice(0, 10)
    const paths = ['fees', 'settlement', 'balances'].map(
      (report) => `/v1/reports/${report}?from=${at(-1)}&to=${tomorrow}T00:00:00Z`,
    )
    const print = () =>
      Promise.all(
        paths.map(async (path) => [await csvOf(merchant, path), (await merchant.call('GET', path)).body]),
      )
    const earlier = await print()
    await merchant.call('POST', '/v1/test-clock', { advance: '2d' })
    await trade(merchant)
    assert.deepEqual(await print(), earlier)
    const [{ charged }] = await read(merchant, `/v1/reports/fees?from=${at(-1)}&to=${at(3)}`)
    assert.equal(charged.value, 600)
  })

  test('400 names the invalid fields', async () => {
    const paramOf = async (path: string) => {
      const { status, body } = await merchant.call('GET', `/v1/reports/${path}`)
      assert.equal(status, 400, path)
      return body.error.details[0].param
    }
    for (const report of ['fees', 'settlement', 'balances']) {
      assert.equal(await paramOf(`${report}?from=soon`), 'from')
      assert.equal(await paramOf(`${report}?from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z`), 'to')
      assert.equal(await paramOf(`${report}?from=${at(0)}&to=${at(-1)}`), 'to')
      assert.equal(await paramOf(`${report}?from=${at(-400)}&to=${at(0)}`), 'to')
    }
    assert.equal(await paramOf('settlement?provider=m99'), 'provider')
    assert.equal(await paramOf('balances?financialAccountId=fac-1'), 'financialAccountId')
    assert.equal(await paramOf('balances?interval=year'), 'interval')
    const stranger = await t.merchant()
    const main = (await read(merchant, '/v1/financial-accounts'))[0].id
    const { body } = await stranger.call('GET', `/v1/reports/balances?financialAccountId=${main}`)
    assert.equal(body.error.details[0].param, 'financialAccountId')
  })

  test('403 for a viewer; another Space or environment shows nothing', async () => {
    const viewer = await t.merchant({ role: 'viewer' })
    const others = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
    for (const report of ['fees', 'settlement', 'balances']) {
      assert.equal((await viewer.call('GET', `/v1/reports/${report}`)).status, 403)
      for (const other of others) assert.deepEqual(await read(other, `/v1/reports/${report}?${around}`), [])
    }
  })
})

describe('GET /v1/reports/lines', () => {
  type ReportedLine = {
    id: string
    type: string
    kind: string | null
    feeCode: string | null
    providerId: string | null
    direction: string | null
    owner: { type: string } | null
    amount: object
    balance: object
    financialAccountId: string
  }
  let merchant: Merchant
  before(async () => {
    merchant = await t.merchant()
    await trade(merchant)
  })

  test('has the financial transactions, each with its provider, direction, kind and object', async () => {
    const lines: ReportedLine[] = await read(merchant, '/v1/reports/lines')
    assert.deepEqual(
      lines.map(({ type, kind, feeCode, providerId, direction, owner }) => [
        type,
        kind,
        feeCode,
        providerId,
        direction,
        owner?.type,
      ]),
      [
        ['debit', 'payout', null, 'm17', 'disbursement', 'payout'],
        ['debit', 'fee', 'payment', 'm17', 'collection', 'payment'],
        ['credit', 'payment', null, 'm17', 'collection', 'payment'],
      ],
    )
    const transactions: (ReportedLine & { financialAccount: { id: string; balance: { after: object } } })[] =
      await read(merchant, '/v1/financial-transactions')
    assert.deepEqual(
      lines.map(({ id, amount, balance, financialAccountId }) => [id, amount, balance, financialAccountId]),
      transactions.map(({ id, amount, financialAccount }) => [
        id,
        amount,
        financialAccount.balance.after,
        financialAccount.id,
      ]),
    )
  })

  test('is filtered like the financial transactions, paged, and exported', async () => {
    const whole: ReportedLine[] = await read(merchant, '/v1/reports/lines')
    const [first, second] = whole
    const account = first!.financialAccountId
    for (const filter of ['type=credit', `financialAccountId=${account}`, `from=${at(-1)}`, `to=${at(-1)}`]) {
      const ids = async (path: string) =>
        (await read(merchant, `${path}?${filter}`)).map(({ id }: ReportedLine) => id)
      assert.deepEqual(await ids('/v1/reports/lines'), await ids('/v1/financial-transactions'), filter)
    }
    const { body } = await merchant.call('GET', '/v1/reports/lines?limit=1')
    const next = await read(merchant, `/v1/reports/lines?limit=1&after=${body.pagination.next}`)
    assert.deepEqual([body.result, next], [[first], [second]])
    const csv: Record<string, string>[] = parse(await csvOf(merchant, '/v1/reports/lines'), { columns: true })
    assert.deepEqual(
      csv.map((row) => [row.id, row.kind, row.providerId, row.direction, row['owner.type']]),
      whole.map(({ id, kind, providerId, direction, owner }) => [
        id,
        kind,
        providerId,
        direction,
        owner?.type,
      ]),
    )
  })

  test('shows null for a line that no provider moved', async () => {
    const from = (await read(merchant, '/v1/financial-accounts'))[0].id
    const to = (await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })).body
      .result.id
    await merchant.call('POST', '/v1/internal-transfers', {
      amount: { currency: 'SLE', value: 100 },
      sourceFinancialAccount: { id: from },
      destinationFinancialAccount: { id: to },
    })
    await until(async () => (await read(merchant, `/v1/reports/lines?financialAccountId=${to}`)).length === 1)
    const [line] = await read(merchant, `/v1/reports/lines?financialAccountId=${to}`)
    assert.deepEqual([line.kind, line.providerId, line.direction], ['internal_transfer', null, null])
  })

  test('400 for invalid filters, 403 without permission; another Space or environment shows nothing', async () => {
    for (const [query, param] of [
      ['type=both', 'type'],
      ['financialAccountId=fac-1', 'financialAccountId'],
      ['from=soon', 'from'],
      ['format=xls', 'format'],
    ]) {
      const { status, body } = await merchant.call('GET', `/v1/reports/lines?${query}`)
      assert.deepEqual([status, body.error.details[0].param], [400, param])
    }
    const less = await t.merchant({ sameUserAs: merchant, scopes: ['balances:read'] })
    assert.equal((await less.call('GET', '/v1/reports/lines')).status, 403)
    for (const other of [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })])
      assert.deepEqual(await read(other, '/v1/reports/lines'), [])
  })
})

test('days follow the time zone of the Space’s country, with its clock changes', async () => {
  const merchant = await t.merchant({ country: 'CM' })
  await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'XAF' })
  await t.advance(merchant.scope, 3 * dayMs)
  const rows = await read(merchant, `/v1/reports/balances?from=${at(-1)}&to=${at(3)}`)
  assert.ok(rows.length >= 3)
  for (const { date, to } of rows.slice(0, -1)) {
    const next = new Date(new Date(`${date}T00:00:00Z`).getTime() + dayMs)
    // An hour ahead of UTC.
    assert.equal(new Date(to).getTime(), next.getTime() - 3_600_000)
  }
})
