import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { firstId, newId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { codeIds } from '../../../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { startTestApp } from '../../../support/harness.ts'
import { idsOf, insertRows, invalidParamsOf, param, type Row } from '../../../support/lists.ts'

const t = await startTestApp({ work: false, hasLiveProvider: true })
after(() => t.close())

const statuses = ['pending', 'processing', 'completed', 'failed'] as const
const day = 86_400_000
const began = Date.parse('2026-01-01T00:00:00Z')

/**
 * Creates rows with the columns that payments and payouts share, with so few distinct values that filters
 * overlap.
 */
function rowsOf(count: number, account: string): Row[] {
  return Array.from({ length: count }, (_, i) => {
    const at = new Date(began + Math.floor(i / 2) * day)
    const status = statuses[(i * 7) % 4]!
    return {
      id: newId(at),
      status,
      amount: 100 * (1 + (i % 3)),
      currency: 'SLE',
      financial_account_id: account,
      provider_id: ['m17', 'm18'][Math.floor(i / 3) % 2],
      rail_reference: newId(at),
      rail_transaction: i % 5 === 0 ? null : `rail-${i % 9}`,
      ledger_reference: status === 'completed' ? `20260101-000000000-${String(i).padStart(6, '0')}` : null,
      failure_code: status === 'failed' ? 'unknown' : null,
      metadata: '{}',
      created_at: at,
      updated_at: at,
    }
  })
}

const phones = ['+23276000001', '+23276000002', '+23276000003']

/** Whether a row matches each filter. */
const conditions = (row: Row, phone: unknown): Record<string, (value: string) => boolean> => ({
  status: (value) => row.status === value,
  provider: (value) => row.provider_id === value,
  amount: (value) => String(row.amount) === value,
  phoneNumber: (value) => phone === value,
  from: (value) => (row.created_at as Date) >= new Date(value),
  to: (value) => (row.created_at as Date) < new Date(value),
})

const when = fc.integer({ min: 0, max: 40 }).map((days) => new Date(began + days * day).toISOString())
const filtersOf = fc.record(
  {
    status: fc.constantFrom(...statuses),
    provider: fc.constantFrom('m17', 'm18'),
    amount: fc.constantFrom('100', '200', '300', '400'),
    phoneNumber: fc.constantFrom(...phones, '+23276000009'),
    from: when,
    to: when,
  },
  { requiredKeys: [] },
)

const moved = [
  {
    url: '/v1/payments',
    ids: paymentIds,
    table: 'payments',
    more: (row: Row, i: number): Row => ({
      ...row,
      name: '',
      reference: i % 4 === 0 ? null : `reference-${i % 6}`,
      order_id: row.id,
      order_number: String(482915000000 + Math.floor(i / 2)),
      origin_type: 'payment_code',
      origin_id: firstId(new Date(began + (i % 7))),
      channel_type: 'momo',
      payer_account: phones[i % 3],
      payer_fingerprint: 'x',
    }),
    phoneOf: (row: Row) => row.payer_account,
    namesOf: (row: Row) => [row.order_number, row.reference, showId(codeIds, String(row.origin_id))],
  },
  {
    url: '/v1/payouts',
    ids: payoutIds,
    table: 'payouts',
    more: (row: Row, i: number): Row => ({
      ...row,
      destination_type: 'momo',
      payee_account: phones[i % 3],
      hold_id: row.id,
      created_by: row.id,
    }),
    phoneOf: (row: Row) => row.payee_account,
    namesOf: () => [],
  },
]

for (const { url, ids, table, more, phoneOf, namesOf } of moved) {
  const merchant = await t.merchant()
  const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
  const other = await t.merchant()
  const account = (await merchant.call('GET', '/v1/financial-accounts')).body.result[0]
  describe(`GET ${url}`, () => {
    let rows: Row[] = []
    before(async () => {
      const created = await merchant.call('POST', '/v1/financial-accounts', { name: 'Till', currency: 'SLE' })
      assert.equal(created.status, 200, JSON.stringify(account))
      rows = rowsOf(60, firstId(new Date())).map(more)
      await insertRows(t.app.parts.db, table, merchant.scope, rows)
      rows.sort((a, b) => (String(a.id) < String(b.id) ? 1 : -1))
    })
    const shown = (some: Row[]) => some.map(({ id }) => showId(ids, String(id)))

    test('200: filters combine in every way, with any page size', async () => {
      await fc.assert(
        fc.asyncProperty(filtersOf, fc.constantFrom(1, 7, 50), async (filters, limit) => {
          const { from, to } = filters
          fc.pre(!(from && to) || from < to)
          const query = Object.entries(filters).map(([name, value]) => param(name, value))
          const fitting = rows.filter((row) =>
            Object.entries(filters).every(([name, value]) =>
              conditions(row, phoneOf(row))[name]!(String(value)),
            ),
          )
          assert.deepEqual(await idsOf(merchant, url, query, limit), shown(fitting), query.join('&'))
        }),
        { numRuns: 60 },
      )
    })

    test('200: `q` finds an entry by any of its identifiers, combines with other filters, and never finds another Space’s', async () => {
      const common = (row: Row) => [
        showId(ids, String(row.id)),
        row.ledger_reference,
        row.rail_transaction,
        row.rail_reference,
        showId(accountIds, String(row.financial_account_id)),
        ...namesOf(row),
      ]
      const names = new Set(
        rows
          .slice(0, 20)
          .flatMap(common)
          .filter((name) => name !== null),
      )
      for (const name of names) {
        const named = rows.filter((row) => common(row).includes(name))
        assert.deepEqual(await idsOf(merchant, url, [param('q', name)], 4), shown(named), String(name))
        assert.deepEqual(
          await idsOf(merchant, url, [param('q', name), 'amount=200', 'status=failed'], 4),
          shown(named.filter(({ amount, status }) => amount === 200 && status === 'failed')),
          `${name}, filtered`,
        )
        for (const stranger of [live, other])
          assert.deepEqual(await idsOf(stranger, url, [param('q', name)]), [])
      }
    })

    test('200: a phone is found with and without its +', async () => {
      const found = shown(rows.filter((row) => phoneOf(row) === phones[0]))
      for (const text of ['%2B23276000001', '23276000001', '+23276000001'])
        assert.deepEqual(await idsOf(merchant, url, [`phoneNumber=${text}`]), found, text)
    })

    test('200: `q` can be a phone number in every form used in the country', async () => {
      const found = shown(rows.filter((row) => phoneOf(row) === phones[0]))
      for (const typed of [
        '+23276000001',
        '23276000001',
        '076 000 001',
        '(076) 000-001',
        '76000001',
        '+232 76.000.001',
        '0023276000001',
        '+232 76–000–001',
        'tel:+23276000001',
        '076/000/001',
      ])
        assert.deepEqual(await idsOf(merchant, url, [param('q', typed)]), found, typed)
      for (const stranger of [live, other])
        assert.deepEqual(await idsOf(stranger, url, [param('q', '076 000 001')]), [])
    })

    if (url === '/v1/payments') {
      test('200: `q` finds names and references that contain it, unless it is an identifier', async () => {
        const found = (reference: RegExp) =>
          shown(rows.filter((row) => reference.test(String(row.reference))))
        assert.deepEqual(await idsOf(merchant, url, [param('q', 'RÉFÉRENCE')]), found(/^reference/))
        assert.deepEqual(await idsOf(merchant, url, [param('q', 'reference-3')]), found(/^reference-3$/))
        assert.deepEqual(
          await idsOf(merchant, url, [param('q', 'reference'), 'status=failed']),
          shown(rows.filter(({ reference, status }) => reference !== null && status === 'failed')),
        )
        for (const q of ['r', '3', '-3', 'reference_3', showId(codeIds, firstId(new Date(0)))])
          assert.deepEqual(await idsOf(merchant, url, [param('q', q)]), [], q)
        for (const stranger of [live, other])
          assert.deepEqual(await idsOf(stranger, url, [param('q', 'reference')]), [])
      })

      test('200: `text` is part of a name or a reference, regardless of case and accents', async () => {
        const found = shown(rows.filter(({ reference }) => reference === 'reference-3'))
        assert.ok(found.length > 1)
        for (const text of ['reference-3', 'RÉFÉRENCE-3', 'ence-3'])
          assert.deepEqual(await idsOf(merchant, url, [param('text', text)]), found, text)
        for (const text of ['reference_3', '%3', 'nothing', 'reference-3%'])
          assert.deepEqual(await idsOf(merchant, url, [param('text', text)]), [], text)
        assert.deepEqual(
          await idsOf(merchant, url, [param('text', 'reference-3'), 'status=failed']),
          shown(rows.filter(({ reference, status }) => reference === 'reference-3' && status === 'failed')),
        )
        assert.deepEqual(await idsOf(other, url, [param('text', 'reference-3')]), [])
        assert.equal((await merchant.call('GET', `${url}?text=x`)).status, 400)
      })
    }

    test('200: an export has the filtered rows, and `after` continues a page of the same query', async () => {
      const filter = 'amount=200&provider=m17&from=2026-01-03T00:00:00Z'
      const fitting = shown(
        rows.filter(
          (row) =>
            row.amount === 200 &&
            row.provider_id === 'm17' &&
            (row.created_at as Date) >= new Date('2026-01-03'),
        ),
      )
      const read = async (query: string) => {
        const answer = await fetch(`${t.baseUrl}${url}?${query}`, {
          headers: {
            authorization: `Bearer ${merchant.token}`,
            'service-space-id': merchant.spaceId,
            accept: 'application/x-ndjson',
          },
        })
        const lines = (await answer.text()).trim().split('\n')
        return lines.map((line) => JSON.parse(line).id)
      }
      assert.deepEqual(await read(filter), fitting)
      const { body } = await merchant.call('GET', `${url}?${filter}&limit=2`)
      assert.deepEqual(await read(`${filter}&after=${body.pagination.next}`), fitting.slice(2))
    })

    test('400 names every invalid filter', async () => {
      const wrong: Record<string, string[]> = {
        status: ['done', 'Completed'],
        provider: ['nobody', 'M17', 'x'.repeat(65), '%00'],
        amount: ['0', '-1', '1.5', 'ten', '1e3', '9007199254740992', '99999999999999999999', '%00'],
        phoneNumber: [
          '076000001',
          '%2B',
          '%2B0123456789',
          '%2B123456',
          '%2B1234567890123456',
          'phone',
          '%2B232 76000001',
          '%00',
        ],
        q: ['x'.repeat(256), '%00'],
        from: ['2026-01-01'],
        to: ['soon'],
      }
      for (const [name, values] of Object.entries(wrong))
        for (const value of values)
          assert.deepEqual(await invalidParamsOf(merchant, `${url}?${name}=${value}`), [name], value)
      assert.deepEqual(await invalidParamsOf(merchant, `${url}?amount=0&q=%00&to=soon`), [
        'amount',
        'q',
        'to',
      ])
      for (const name of ['provider', 'amount', 'phoneNumber', 'q'])
        assert.deepEqual(await invalidParamsOf(merchant, `${url}?${name}=1&${name}=2`), [name])
    })

    test('400 `cursor_invalid` for a cursor of a different query', async () => {
      const { body } = await merchant.call('GET', `${url}?amount=200&limit=1`)
      const { status, body: refusal } = await merchant.call(
        'GET',
        `${url}?amount=100&after=${body.pagination.next}`,
      )
      assert.deepEqual([status, refusal.error.reason], [400, 'cursor_invalid'])
    })
  })
}
