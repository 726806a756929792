import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { accountIds } from '../../../packages/server/src/ledger/accounts/resources.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { defaultTimeouts } from '../../../packages/server/src/platform/http/admission/connections.ts'
import { readId } from '../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'
import { readSpreadsheet } from '../../support/spreadsheet.ts'

const t = await startTestApp()
after(() => t.close())

const get = (merchant: Merchant, path: string, headers: Record<string, string>, { baseUrl } = t) =>
  fetch(baseUrl + path, {
    headers: {
      authorization: `Bearer ${merchant.token}`,
      'service-space-id': merchant.spaceId,
      ...headers,
    },
  })
const csv = { accept: 'text/csv' }
const ndjson = { accept: 'application/x-ndjson' }
const xlsx = { accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }

async function accounts(count: number, names: string[] = []) {
  const merchant = await t.merchant()
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { body } = await merchant.call('POST', '/v1/financial-accounts', {
      name: names[i] ?? `Account ${i}`,
      currency: i % 2 === 0 ? 'SLE' : 'XOF',
      metadata: { place: i },
    })
    ids.push(body.result.id)
  }
  return { merchant, ids }
}

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })

describe('GET of a list as text/csv', () => {
  test('200 has every entry that matches the filters, a column for each scalar field, and metadata as JSON', async () => {
    const { merchant, ids } = await accounts(3)
    const answer = await get(merchant, '/v1/financial-accounts?withBalance=true', csv)
    const text = await answer.text()
    assert.deepEqual(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
      [200, 'text/csv; charset=utf-8', 'attachment; filename="financial-accounts.csv"'],
    )
    assert.ok(text.includes('\r\n') && !/[^\r]\n/.test(text), 'lines end as in RFC 4180')
    const rows = rowsOf(text)
    assert.deepEqual(
      rows.map(({ id, currency, metadata }) => [id, currency, metadata]),
      ids.map((id, i) => [id, i % 2 === 0 ? 'SLE' : 'XOF', `{"place":${i}}`]).reverse(),
    )
    assert.ok(Object.keys(rows[0]!).includes('ownershipGraph.owner.id'))
  })

  test('200 shows money in minor units, its currency, and a human-readable decimal', async () => {
    const merchant = await t.merchant()
    const item = (currency: string, value: number) =>
      merchant.call('POST', '/v1/checkout-sessions', {
        name: 'Bread',
        successUrl: 'https://shop.example/ok',
        cancelUrl: 'https://shop.example/no',
        lineItems: [{ name: 'Bread', price: { currency, value } }],
      })
    for (const [currency, value] of [['SLE', 1_550]] as const)
      assert.equal((await item(currency, value)).status, 200)
    const [row] = rowsOf(await (await get(merchant, '/v1/checkout-sessions', csv)).text())
    const money = Object.entries(row!).filter(([name]) => /(currency|value|decimal)$/.test(name))
    assert.deepEqual(
      money.map(([name, value]) => [name.split('.').at(-1), value]),
      [
        ['currency', 'SLE'],
        ['value', '1550'],
        ['decimal', '15.50'],
      ],
    )
  })

  test('200 escapes what a spreadsheet would evaluate', async () => {
    const names = ['=1+1', '+cmd', '-2', '@SUM(A1)', '\tx', 'plain, "quoted"']
    const { merchant } = await accounts(names.length, names)
    const rows = rowsOf(await (await get(merchant, '/v1/financial-accounts', csv)).text())
    assert.deepEqual(
      rows.map(({ name }) => name).reverse(),
      names.map((name) => (name.startsWith('plain') ? name : `'${name}`)),
    )
  })

  test('200 for an empty list has only the header', async () => {
    const merchant = await t.merchant()
    const text = await (await get(merchant, '/v1/payouts', csv)).text()
    assert.match(text, /^id,status,amount\.currency,amount\.value,amount\.decimal,[^\r]*metadata\r\n$/)
  })
})

describe('GET of a list as application/x-ndjson', () => {
  test('200 has one entry per line, as in JSON pages; `limit` caps the whole file, and `after` starts after a page', async () => {
    const { merchant } = await accounts(7)
    const all = (await merchant.call('GET', '/v1/financial-accounts?limit=50')).body.result
    const page = (await merchant.call('GET', '/v1/financial-accounts?limit=2')).body
    const entries = async (query: string) => {
      const text = await (await get(merchant, `/v1/financial-accounts${query}`, ndjson)).text()
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    }
    assert.deepEqual(await entries(''), all)
    assert.deepEqual(await entries('?limit=100000'), all)
    assert.deepEqual(await entries('?limit=3'), all.slice(0, 3))
    assert.deepEqual(await entries(`?limit=4&after=${page.pagination.next}`), all.slice(2, 6))
  })

  test('200 continues over many reads, in list order and with each row once', async () => {
    const { merchant, ids } = await accounts(1)
    const { spaceId, environment } = merchant.scope
    // More than any page holds, inserted directly.
    await t.app.parts.db.transaction((tx) =>
      tx.run(sql`
        insert into financial_accounts (space_id, environment, id, name, currency, uvan, metadata, created_at, updated_at)
        select space_id, environment, gen_random_uuid(), name, currency, 'x' || n, metadata, created_at, updated_at
        from financial_accounts, generate_series(1, 1234) n
        where space_id = ${spaceId} and environment = ${environment} and id = ${readId(accountIds, ids[0]!)!}`),
    )
    const text = await (await get(merchant, '/v1/financial-accounts', ndjson)).text()
    const shown = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id)
    assert.equal(new Set(shown).size, 1235)
    assert.deepEqual(shown, [...shown].sort().reverse())
  })

  test('200 is compressed for clients that accept gzip', async () => {
    const { merchant } = await accounts(2)
    const plain = await (await get(merchant, '/v1/financial-accounts', ndjson)).text()
    const packed = await get(merchant, '/v1/financial-accounts', { ...ndjson, 'accept-encoding': 'gzip' })
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert.equal(await packed.text(), plain)
  })

  test('400, 401 and 403 are JSON, as elsewhere', async () => {
    const { merchant } = await accounts(0)
    const other = await t.merchant()
    const reasonOf = async (answer: Response) => [answer.status, JSON.parse(await answer.text()).error.reason]
    assert.deepEqual(await reasonOf(await get(merchant, '/v1/payouts?status=x', csv)), [
      400,
      'arguments_invalid',
    ])
    assert.deepEqual(await reasonOf(await get(merchant, '/v1/payouts?limit=0', csv)), [
      400,
      'arguments_invalid',
    ])
    assert.deepEqual(await reasonOf(await get(merchant, '/v1/payouts?after=x', csv)), [400, 'cursor_invalid'])
    assert.deepEqual(await reasonOf(await get({ ...merchant, token: 'x' }, '/v1/payouts', csv)), [
      401,
      'token_invalid',
    ])
    const foreign = { ...merchant, spaceId: other.spaceId }
    assert.deepEqual(await reasonOf(await get(foreign, '/v1/payouts', csv)), [403, 'access_denied'])
  })
})

describe('GET of a list as XLSX', () => {
  const sheetsOf = async (answer: Response) => readSpreadsheet(Buffer.from(await answer.arrayBuffer()))

  test('200 has a header and a row for each entry, and is not compressed a second time', async () => {
    const { merchant } = await accounts(3)
    const headers = { ...xlsx, 'accept-encoding': 'gzip' }
    const answer = await get(merchant, '/v1/financial-accounts?limit=2', headers)
    assert.deepEqual(
      [
        answer.status,
        answer.headers.get('content-type'),
        answer.headers.get('content-disposition'),
        answer.headers.get('content-encoding'),
      ],
      [200, xlsx.accept, 'attachment; filename="financial-accounts.xlsx"', null],
    )
    const [sheet] = await sheetsOf(answer)
    assert.deepEqual([sheet!.name, sheet!.pane, sheet!.rows.length], ['financial-accounts', '1 frozen', 3])
  })

  test('200 shows text as text, whatever it looks like', async () => {
    const names = [
      `=cmd|' /C calc'!A0`,
      '+1',
      '@SUM(A1)',
      '-2+3',
      '1e9',
      '007',
      '2026-11-26',
      '_x003D_1+1',
      '</t></is></c><c><f>1+1</f></c>&amp;',
      'سوق الأمل 🛒🇸🇱',
      'x'.repeat(100),
    ]
    const { merchant } = await accounts(names.length, names)
    const [sheet] = await sheetsOf(await get(merchant, '/v1/financial-accounts', xlsx))
    const [header, ...rows] = sheet!.rows
    const [column] = Object.entries(header!).find(([, { text }]) => text === 'name')!
    assert.deepEqual(
      rows.map((row) => row[column]).reverse(),
      names.map((text) => ({ type: 'inlineStr', text, format: '@', isBold: false })),
    )
  })

  test('200 shows amounts with the decimals of their currency, and times in the time zone of the Space’s country', async () => {
    const merchant = await t.merchant({ country: 'KE' })
    for (const currency of ['KES', 'XOF']) await fund(t.app.parts, merchant.scope, 1_234_567, { currency })
    const path = '/v1/financial-transactions'
    const entries = (await merchant.call('GET', path)).body.result
    const [sheet] = await sheetsOf(await get(merchant, path, xlsx))
    const [header, ...rows] = sheet!.rows
    const cellsOf = (name: string) => {
      const [column] = Object.entries(header!).find(([, { text }]) => text === name)!
      return rows.map((row) => row[column]!)
    }
    assert.deepEqual(
      cellsOf('amount.decimal').map(({ type, text, format }) => [type, text, format]),
      [
        ['n', '1234567', '#,##0'],
        ['n', '12345.67', '#,##0.00'],
      ],
    )
    const threeHoursMs = 3 * 3_600_000
    assert.deepEqual(
      cellsOf('timestamp').map(({ type, text, format }) => [
        type,
        Math.round(Number(text) * 86_400_000),
        format,
      ]),
      entries.map(({ timestamp }: { timestamp: string }) => [
        'n',
        Date.parse(timestamp) - Date.UTC(1899, 11, 30) + threeHoursMs,
        'yyyy-mm-dd hh:mm:ss',
      ]),
    )
  })

  test('200 for an empty list has only the header', async () => {
    const merchant = await t.merchant()
    const [sheet] = await sheetsOf(await get(merchant, '/v1/payouts', xlsx))
    assert.equal(sheet!.rows.length, 1)
    assert.equal(sheet!.rows[0]!.A!.text, 'id')
  })

  test('400 for `format=xls`, and for filters that CSV refuses; 406 for the old format of Excel', async () => {
    const { merchant } = await accounts(0)
    const refused = async (path: string, headers: Record<string, string> = xlsx) => {
      const answer = await get(merchant, path, headers)
      const { reason, details } = (
        (await answer.json()) as { error: { reason: string; details?: { param: string }[] } }
      ).error
      return [answer.status, reason, details?.map(({ param }) => param) ?? []]
    }
    assert.deepEqual(await refused('/v1/payouts?format=xls'), [400, 'arguments_invalid', ['format']])
    assert.deepEqual(await refused('/v1/payouts?limit=0'), [400, 'arguments_invalid', ['limit']])
    assert.deepEqual(await refused('/v1/payouts?after=x'), [400, 'cursor_invalid', []])
    assert.deepEqual(await refused('/v1/payouts', { accept: 'application/vnd.ms-excel' }), [
      406,
      'not_acceptable',
      ['Accept'],
    ])
    const foreign = await get({ ...merchant, spaceId: (await t.merchant()).spaceId }, '/v1/payouts', xlsx)
    assert.equal(foreign.status, 403)
  })
})

describe('the content type that a client prefers', () => {
  const [page, table, lines] = ['application/json', 'text/csv', 'application/x-ndjson']
  const sheet = xlsx.accept
  const cases: [accept: string, type: string | undefined][] = [
    ['*/*', page],
    ['application/*', page],
    ['application/json, text/plain, */*', page],
    ['text/csv;q=0.5, application/json', page],
    ['text/html, */*;q=0.8', page],
    ['text/csv;q=0, */*', page],
    ['text/*', table],
    ['application/xml, text/csv;q=0.5', table],
    ['TEXT/CSV; charset=utf-8', table],
    ['text/csv, application/x-ndjson', table],
    ['application/x-ndjson, */*;q=0.1', lines],
    [`${sheet}, application/json;q=0.9`, sheet],
    [`text/csv;q=0.5, ${sheet};q=0.9`, sheet],
    ['application/vnd.ms-excel', undefined],
    ['application/xml', undefined],
    ['text/html', undefined],
    ['image/*', undefined],
    ['*/*;q=0', undefined],
    ['application/json;q=0', undefined],
  ]
  for (const [accept, type] of cases)
    test(`${accept} is ${type ?? '406 not_acceptable'}`, async () => {
      const merchant = await t.merchant()
      const answer = await get(merchant, '/v1/financial-accounts', { accept })
      const text = await answer.text()
      if (type)
        return assert.equal(
          answer.headers.get('content-type'),
          type === sheet ? type : `${type}; charset=utf-8`,
        )
      const { code, reason, details } = JSON.parse(text).error
      assert.deepEqual([answer.status, code, reason], [406, 406, 'not_acceptable'])
      assert.deepEqual(details, [
        { param: 'Accept', errors: [`must accept one of ${[page, table, lines, sheet].join(', ')}`] },
      ])
    })

  test('an object available only as JSON is returned as JSON, whatever the client accepts', async () => {
    const { merchant, ids } = await accounts(1)
    const answer = await get(merchant, `/v1/financial-accounts/${ids[0]}`, { accept: 'application/xml' })
    assert.deepEqual([answer.status, JSON.parse(await answer.text()).result.id], [200, ids[0]])
  })
})

describe('an export', () => {
  /** Connects a client that receives the headers of a long export and reads nothing more. */
  async function unread(merchant: Merchant, { baseUrl } = t) {
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /v1/financial-accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${merchant.token}\r\nservice-space-id: ${merchant.spaceId}\r\naccept: application/x-ndjson\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.pause()
    return socket
  }

  /** Creates more rows than fit into the buffers along the way. */
  async function manyAccounts() {
    const { merchant, ids } = await accounts(1)
    const { spaceId, environment } = merchant.scope
    await t.app.parts.db.transaction((tx) =>
      tx.run(sql`
        insert into financial_accounts (space_id, environment, id, name, currency, uvan, metadata, created_at, updated_at)
        select space_id, environment, gen_random_uuid(), name, currency, 'y' || n || id, json_build_object('x', repeat('x', 4000)),
          created_at, updated_at
        from financial_accounts, generate_series(1, 5000) n
        where space_id = ${spaceId} and environment = ${environment} and id = ${readId(accountIds, ids[0]!)!}`),
    )
    return merchant
  }

  test('is one of at most two concurrent ones in a Space: the third gets 429 until a client leaves', async () => {
    const merchant = await manyAccounts()
    const clients = await Promise.all(Array.from({ length: 2 }, () => unread(merchant)))
    assert.equal((await get(merchant, '/v1/payouts', csv)).status, 429)
    clients[0]!.destroy()
    await until(async () => (await get(merchant, '/v1/payouts', csv)).status === 200)
    for (const client of clients) client.destroy()
  })

  test('releases its slot once its client has read nothing for a while', async () => {
    const merchant = await manyAccounts()
    const timeouts = { ...defaultTimeouts, stalledExportMs: 200 }
    const impatient = await startTestApp({ anotherNodeOf: t, work: false, app: { timeouts } })
    const clients = [await unread(merchant, impatient), await unread(merchant, impatient)]
    assert.equal((await get(merchant, '/v1/payouts', csv, impatient)).status, 429)
    await until(async () => (await get(merchant, '/v1/payouts', csv, impatient)).status === 200)
    for (const client of clients) client.destroy()
    await impatient.close()
  })

  test('is not written for HEAD', async () => {
    const { merchant } = await accounts(1)
    const { status, headers } = await fetch(`${t.baseUrl}/v1/financial-accounts`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId, ...csv },
    })
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
  })

  test('that nobody reads does not delay a node’s shutdown, and is recognizably incomplete', async () => {
    const merchant = await manyAccounts()
    const other = await startTestApp({ anotherNodeOf: t, work: false })
    const answer = await fetch(`${other.baseUrl}/v1/financial-accounts`, {
      headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId, ...ndjson },
    })
    await other.close()
    await assert.rejects(answer.text())
  })
})
