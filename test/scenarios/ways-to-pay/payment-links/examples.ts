import type { SliceExamples } from '../../../support/examples.ts'
import { examples as checkout } from '../checkout/examples.ts'
import { openFrom } from './visitor.ts'

// An open amount instead of line items, and a success text instead of the merchant's page.
const oneKind = { openAmount: null, successUrl: null }

const item = (value: number, currency = 'SLE') => ({ name: 'Ticket', price: { currency, value } })

export const examples: SliceExamples = {
  fields: {
    ...checkout.fields,
    // Above this, the total of random lines could exceed a session's maximum.
    'lineItems[].price.currency': ['SLE'],
    'lineItems[].price.value': [1_500],
    'quantity.minimum': [1, 2],
    'quantity.maximum': [2, 10],
    'openAmount.currency': ['SLE'],
    'openAmount.minimum': [500],
    'openAmount.maximum': [500, 50_000],
    expireTime: ['2099-12-31T23:59:59Z'],
  },
  required: { 'POST /v1/payment-links': ['lineItems'] },
  bodies: { 'POST /v1/payment-links': oneKind, 'PATCH /v1/payment-links/:id': oneKind },
  issues: {
    'POST /v1/payment-links': [
      {
        body: {
          name: '',
          lineItems: [item(1), item(0), item(1, 'GHS')],
          openAmount: { currency: 'XXX', minimum: 5, maximum: 4 },
          quantity: { minimum: 3, maximum: 2 },
          paymentOptions: { momo: { enabledProviders: ['slb001'] } },
          financialAccountId: 'fac-01kaj3v5w8e4r9tbn2m6c7d0xz',
          successText: 'Thank you',
          successUrl: 'https://shop.example/',
          expireTime: '2001-01-01T00:00:00Z',
          maxPayments: 0,
        },
        shape: ['name', 'lineItems[1].price.value', 'maxPayments'],
        meaning: [
          'lineItems',
          'lineItems[2].price.currency',
          'openAmount',
          'openAmount.currency',
          'openAmount.maximum',
          'quantity',
          'quantity.maximum',
          'paymentOptions.momo.enabledProviders[0]',
          'financialAccountId',
          'successText',
          'successUrl',
          'expireTime',
        ],
      },
      { body: { name: 'Concert' }, shape: [], meaning: ['lineItems', 'openAmount'] },
      {
        // The maximum quantity keeps the total within a session's maximum.
        body: {
          name: 'Concert',
          lineItems: [{ ...item(9_007_199_254_740_991), quantity: 100_000 }],
          quantity: { maximum: 2 },
        },
        shape: [],
        meaning: ['lineItems', 'quantity.maximum'],
      },
    ],
    'PATCH /v1/payment-links/:id': [
      {
        body: { name: 5, openAmount: { currency: 'GHS' }, successText: '', expireTime: 'tomorrow' },
        shape: ['name', 'successText', 'expireTime'],
        meaning: [],
      },
    ],
  },
  /** Creates links, and opens a session from one. */
  async make(stock) {
    await stock.postExamples('ways-to-pay/payment-links')
    const [link] = (await stock.merchant.call('GET', '/v1/payment-links')).body.result
    await openFrom(link.url, { quantity: '1', reference: 'text' })
  },
  rows: {
    payment_links: {
      status: `case when n <= 5 then 'completed' else 'expired' end`,
      name: `''`,
      line_items: `'[]'`,
      currency: `'SLE'`,
      is_reference_required: 'false',
      financial_account_id: 'gen_random_uuid()',
      payment_options: `'{}'`,
      paid_count: '0',
      paid_total: '0',
      reserved_count: '0',
      metadata: `'{}'`,
      created_at: 'now()',
      updated_at: 'now()',
    },
  },
}
