import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { entriesOf, openStock } from '../../../support/examples.ts'
import { startTestApp } from '../../../support/harness.ts'
import { idsOf, param } from '../../../support/lists.ts'

const t = await startTestApp({ hasLiveProvider: true })
after(() => t.close())

// Lists, and the fields of their entries that `q` searches.
const names: Record<string, string[]> = {
  '/v1/checkout-sessions': ['orderNumber', 'reference'],
  '/v1/payment-codes': ['ussdCode', 'reference'],
  '/v1/financial-accounts': ['uvan', 'reference'],
  '/v1/internal-transfers': [
    'financialTransactionReference',
    'sourceFinancialAccount.id',
    'destinationFinancialAccount.id',
  ],
  '/v1/financial-transactions': ['reference', 'financialAccount.id'],
  '/v1/events': ['object.id'],
}

const merchant = await t.merchant({ isOperator: true })
const stock = openStock(t, merchant, await entriesOf(t))

describe('`q` finds all entries with a given name', () => {
  before(() => stock.fill())
  const valueAt = (row: unknown, path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], row)

  for (const [url, fields] of Object.entries(names))
    test(`GET ${url}: 200`, async () => {
      const rows = (await merchant.call('GET', `${url}?limit=50`)).body.result
      for (const field of fields) {
        const name = rows.map((row: unknown) => valueAt(row, field)).find(Boolean)
        assert.ok(name, `${url} has a ${field}`)
        const all = rows.filter((row: unknown) => fields.some((one) => valueAt(row, one) === name))
        assert.deepEqual(
          await idsOf(merchant, url, [param('q', name)], 2),
          all.map(({ id }: { id: string }) => id),
          field,
        )
      }
    })

  test('sessions and codes are found by their payments, and payments by their sessions and codes', async () => {
    const [payment] = (await merchant.call('GET', '/v1/payments')).body.result
    const origin = payment.ownershipGraph.owner.id
    assert.deepEqual(await idsOf(merchant, '/v1/checkout-sessions', [param('q', payment.id)]), [origin])
    assert.ok((await idsOf(merchant, '/v1/payments', [param('q', origin)])).includes(payment.id))
    assert.deepEqual(await idsOf(merchant, '/v1/payment-codes', [param('q', payment.id)]), [])
  })
})
