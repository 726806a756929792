import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openLibrary } from '../../../../packages/docs/src/library.ts'
import { openSite } from '../../../../packages/docs/src/site.ts'
import { openSearch } from '../../../../packages/docs/src/site-search.ts'
import { startTestApp } from '../../../support/harness.ts'

/**
 * Queries as developers and finance staff type them, and the page that answers each. They were written before
 * the ranking was tuned; add a query when a reader did not find something.
 */
const answers: Record<string, string> = {
  'api key': '/docs/guides/access-tokens',
  sandbox: '/docs/guides/testing',
  chargeback: '/docs/guides/what-happens-when',
  postman: '/docs/reference/api',
  'how do I get started': '/docs/guides/quickstart',
  'python example': '/docs/guides/quickstart',
  'test phone numbers': '/docs/guides/testing',
  'how do I verify a webhook signature': '/docs/guides/webhooks',
  'webhook localhost ngrok': '/docs/guides/listen',
  'recieve webhoks': '/docs/guides/webhooks',
  'refund a customer': '/docs/guides/refunds',
  'partial refund': '/docs/guides/refunds',
  'idempotency key': '/docs/reference/api',
  pagination: '/docs/guides/lists',
  'rate limit': '/docs/reference/limits',
  'what does fund_insufficient mean': '/docs/reference/errors',
  'POST /v1/refunds': '/docs/reference/api/refunds',
  'send money to a bank account': '/docs/guides/payouts',
  'pay salaries in bulk': '/docs/guides/payouts',
  'sent money to the wrong number': '/docs/guides/payouts',
  'mpesa paybill': '/docs/guides/connect-mpesa',
  'QR code': '/docs/guides/payment-links',
  'download transactions as csv': '/docs/guides/exports',
  'bank reconciliation': '/docs/guides/reconciliation',
  'month end': '/docs/guides/close-the-month',
  'which countries do you support': '/docs/reference/providers',
  '2fa login': '/docs/guides/console',
  'google sso': '/docs/guides/single-sign-on',
  'docker install': '/docs/guides/install',
  'go live checklist': '/docs/guides/checkout',
}

const t = await startTestApp({ work: false })
after(() => t.close())
const search = openSearch(openSite({ openLibrary, openApi: t.app.parts.openApi, isServed: true }))

test('thirty queries are listed', () => {
  assert.equal(Object.keys(answers).length, 30)
})

for (const [query, page] of Object.entries(answers))
  test(`“${query}” finds ${page} first`, async () => {
    const { hits } = await search.find(query)
    const shown = hits.slice(0, 5).map(({ address }) => `/docs/${address}`)
    assert.equal(shown[0]?.split('#', 1)[0], page, shown.join(', '))
  })
