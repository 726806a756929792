import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { querySchema } from '../../../packages/server/src/platform/http/lists/lists.ts'
import { newId, showId } from '../../../packages/server/src/platform/ids.ts'
import { codeIds } from '../../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { entriesOf, openStock, type Shape } from '../../support/examples.ts'
import { startTestApp } from '../../support/harness.ts'
import { idsOf, invalidParamsOf, param, type Row } from '../../support/lists.ts'

const t = await startTestApp({ work: true, hasLiveProvider: true })
after(() => t.close())

const merchant = await t.merchant({ isOperator: true })
const entries = await entriesOf(t)

describe('every list whose entries have a time', () => {
  const stock = openStock(t, merchant, entries)
  before(() => stock.fill())
  const lists = entries.filter(
    ({ route }) =>
      route.kind === 'list' &&
      // This list grows with every call of this test; see test/scenarios/tenants/requests.
      route.url !== '/v1/requests' &&
      'from' in ((querySchema(route) as Shape).properties ?? {}) &&
      // Reports document the meaning of their own time parameters.
      !('from' in ((route.query as Shape | undefined)?.properties ?? {})),
  )

  test('is every list except countries, requests, the rows of a file, a Space’s reconciliation, and reports', () => {
    const without = entries.filter(
      ({ route }) => route.kind === 'list' && !lists.some((list) => list.route === route),
    )
    assert.deepEqual(
      without.map(({ route }) => route.url),
      [
        '/v1/countries',
        '/v1/requests',
        '/v1/payout-batches/:id/rows',
        '/v1/reconciliation/items',
        '/v1/reports/fees',
        '/v1/reports/settlement',
        '/v1/reports/balances',
      ],
    )
  })

  for (const { route } of lists)
    test(`${route.url} can be filtered from a time and before a time, to the millisecond`, async () => {
      const url = stock.pathOf(route)
      const { body } = await merchant.call('GET', `${url}?limit=50`)
      const rows: Row[] = body.result
      assert.ok(rows.length > 0, 'there is something to list')
      const timeOf = (row: Row) => Date.parse(String(row.createTime ?? row.timestamp))
      const key = (row: Row) => row.id ?? row.providerId
      const times = [...new Set(rows.map(timeOf))].sort((a, b) => a - b)
      for (const time of [times[0]!, times[Math.floor(times.length / 2)]!, times.at(-1)!])
        for (const offset of [0, 1]) {
          const at = new Date(time + offset).toISOString()
          for (const [query, fits] of [
            [`from=${at}`, (ms: number) => ms >= time + offset],
            [`to=${at}`, (ms: number) => ms < time + offset],
            [
              `from=${new Date(times[0]!).toISOString()}&to=${new Date(time + 1).toISOString()}`,
              (ms: number) => ms <= time,
            ],
          ] as const) {
            const { body } = await merchant.call('GET', `${url}?limit=50&${query}`)
            // In a list longer than a page, later entries may have moved up.
            const expected = rows.filter((row) => fits(timeOf(row))).map(key)
            assert.deepEqual(body.result.map(key).slice(0, expected.length), expected, query)
            assert.ok(body.result.map(timeOf).every(fits), query)
          }
        }
    })

  for (const { route } of lists)
    test(`${route.url} refuses invalid times, and a \`to\` that is not after \`from\`: 400`, async () => {
      const url = stock.pathOf(route)
      for (const name of ['from', 'to'])
        for (const text of [
          'yesterday',
          '2026-11-01',
          '2026-02-30T00:00:00Z',
          '1',
          '2026-11-01T00:00:00',
          '%00',
        ])
          assert.deepEqual(await invalidParamsOf(merchant, `${url}?${name}=${text}`), [name], text)
      for (const [from, to] of [
        ['2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z'],
        ['2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z'],
        ['2026-11-02T00:00:00Z', '2026-11-02T01:00:00%2B01:00'],
      ])
        assert.deepEqual(await invalidParamsOf(merchant, `${url}?from=${from}&to=${to}`), ['to'])
    })

  test('accepts distant times, and times between two milliseconds', async () => {
    for (const [from, to] of [
      ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999-23:59'],
      ['1969-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ])
      for (const { route } of lists)
        assert.equal(
          (await merchant.call('GET', `${stock.pathOf(route)}?from=${from}&to=${to}`)).status,
          200,
          route.url,
        )
    const { body } = await merchant.call('GET', '/v1/financial-accounts?limit=1')
    const [{ id, createTime }] = body.result
    const between = createTime.replace('Z', '000001Z')
    assert.ok(!(await idsOf(merchant, '/v1/financial-accounts', [`from=${between}`])).includes(id))
    assert.ok((await idsOf(merchant, '/v1/financial-accounts', [`to=${between}`])).includes(id))
  })

  test('HEAD refuses what GET refuses', async () => {
    const { status } = await fetch(`${t.baseUrl}/v1/payments?from=yesterday`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId },
    })
    assert.equal(status, 400)
  })

  for (const { route, examples } of entries.filter(({ route }) => route.kind === 'list'))
    if ('status' in ((querySchema(route) as Shape).properties ?? {}))
      test(`${route.url} can be filtered by status, and refuses an unknown one: 400`, async () => {
        const url = stock.pathOf(route)
        const { body } = await merchant.call('GET', `${url}?limit=50`)
        const { enum: statuses = [] } = (querySchema(route) as Shape).properties!.status!
        for (const status of statuses) {
          const ids = body.result.filter((row: Row) => row.status === status).map(({ id }: Row) => id)
          assert.deepEqual(await idsOf(merchant, url, [`status=${status}`]), ids, String(status))
        }
        assert.deepEqual(await invalidParamsOf(merchant, `${url}?status=done`), ['status'])
        assert.ok(examples)
      })

  test('every list whose entries have a status can be filtered by it', () => {
    for (const { route } of entries.filter(({ route }) => route.kind === 'list')) {
      // The status of a hold also follows from the time, and a Space has few.
      if (route.url === '/v1/legal-holds') continue
      const { status } = (route.result as Shape).properties ?? {}
      assert.equal(
        status?.enum !== undefined,
        'status' in ((querySchema(route) as Shape).properties ?? {}),
        route.url,
      )
    }
  })

  for (const { route } of entries.filter(({ route }) => route.kind === 'list'))
    if ('q' in ((querySchema(route) as Shape).properties ?? {})) {
      test(`${route.url} finds each entry by its id in \`q\``, async () => {
        const url = stock.pathOf(route)
        for (const id of await idsOf(merchant, url, [], 50))
          assert.deepEqual(await idsOf(merchant, url, [param('q', id)]), [id])
      })

      test(`${route.url}: an unknown \`q\` gives an empty list, and an invalid one is refused: 400`, async () => {
        const url = stock.pathOf(route)
        const [id] = await idsOf(merchant, url, [], 1)
        const nothing = [
          'nothing',
          ' ',
          '%',
          "' or true --",
          '🦜',
          id!.slice(0, -1),
          `${id}x`,
          id!.toUpperCase(),
        ]
        for (const text of [...nothing, 'x'.repeat(255), showId(codeIds, newId(new Date()))])
          assert.deepEqual(await idsOf(merchant, url, [param('q', text)]), [], text)
        for (const text of ['x'.repeat(256), '%00', 'a%00b'])
          assert.deepEqual(await invalidParamsOf(merchant, `${url}?q=${text}`), ['q'])
        const others = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
        for (const other of others)
          assert.deepEqual(await idsOf(other, url, [param('q', id)]), [], 'another scope')
      })
    }
})
