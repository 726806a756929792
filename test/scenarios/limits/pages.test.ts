import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import { startTestApp } from '../../support/harness.ts'
import { send } from '../../support/wire.ts'
import { sendForm } from '../ways-to-pay/payment-links/visitor.ts'

// Rate limits for strangers on public pages. The clock moves only when a test moves it.
mock.timers.enable({ apis: ['Date'], now: Date.now() })

const views = 20
const t = await startTestApp({
  work: false,
  app: { maxClockDifferenceMs: Number.POSITIVE_INFINITY },
  settings: {
    RATE_LIMITS: 'on',
    VIEW_LIMIT: String(views),
    TRUSTED_PROXIES: '127.0.0.1',
    ENDPOINT_LIMIT_TEST: '1000',
    TOKEN_LIMIT_TEST: '1000',
  },
})
after(() => t.close())
const merchant = await t.merchant()

let stranger = 0
/** Returns an address from which no request has come yet. */
const nextAddress = () => `203.0.113.${++stranger}`

async function view(path: string, address: string, headers: Record<string, string> = {}) {
  const response = await fetch(t.baseUrl + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'x-forwarded-for': address, ...headers },
  })
  await response.text()
  return response
}
const limitOf = ({ status, headers }: Response) => [
  status,
  headers.get('service-rate-limit'),
  headers.get('retry-after'),
]

const makeLink = async (body: object = {}) => {
  const { body: answer } = await merchant.call('POST', '/v1/payment-links', {
    name: 'Concert',
    lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 15_000 } }],
    ...body,
  })
  return answer.result as { id: string; url: string }
}
const countSessions = async ({ id }: { id: string }) =>
  (await merchant.call('GET', `/v1/checkout-sessions?limit=50&paymentLinkId=${id}`)).body.result.length

describe('each address has its own limit of page views per second', () => {
  for (const path of [
    '/pay/x',
    '/pay/x/wait',
    '/pay/x/receipt',
    '/l/x',
    '/l/x/qr.svg',
    '/docs',
    '/docs/guides/checkout',
  ])
    test(path, async () => {
      const address = nextAddress()
      const { status } = await view(path, nextAddress())
      for (let i = 0; i < views; i++) assert.equal((await view(path, address)).status, status)
      assert.deepEqual(limitOf(await view(path, address)), [429, 'view-limit', '1'])
      assert.equal((await view(path, nextAddress())).status, status)
      mock.timers.tick(1_000)
      assert.equal((await view(path, address)).status, status)
    })

  test('a payment page refuses too many requests with a page', async () => {
    const address = nextAddress()
    for (let i = 0; i < views; i++) await view('/pay/x', address)
    const refused = await view('/pay/x', address)
    assert.deepEqual([refused.status, refused.headers.get('content-type')], [429, 'text/html; charset=utf-8'])
  })
})

describe('one address can open one session per second through payment links', () => {
  test('with their form: a faster request is refused and opens nothing', async () => {
    const [one, other] = [await makeLink(), await makeLink()]
    const address = { 'x-forwarded-for': nextAddress() }
    const open = async (link: { url: string }, headers: Record<string, string>) => {
      const response = await sendForm(link.url, {}, headers)
      await response.text()
      return [response.status, response.headers.get('service-rate-limit')]
    }
    assert.deepEqual(await open(one, address), [303, null])
    for (const link of [one, other]) assert.deepEqual(await open(link, address), [429, 'link-open-limit'])
    assert.deepEqual(await open(one, { 'x-forwarded-for': nextAddress() }), [303, null])
    assert.deepEqual([await countSessions(one), await countSessions(other)], [2, 0])
    mock.timers.tick(1_000)
    assert.deepEqual(await open(other, address), [303, null])
  })

  test('by opening their page: a faster request shows the page with its button', async () => {
    const link = await makeLink()
    const { pathname } = new URL(link.url)
    const person = {
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      'x-forwarded-for': nextAddress(),
    }
    const statuses = []
    for (let i = 0; i < 4; i++)
      statuses.push((await send(t.baseUrl, { path: pathname, headers: person })).status)
    assert.deepEqual(statuses, [303, 200, 200, 200])
    assert.equal(await countSessions(link), 1)
  })

  test('an invalid form does not count', async () => {
    const link = await makeLink({ quantity: { minimum: 2, maximum: 4 } })
    const headers = { 'x-forwarded-for': nextAddress() }
    for (const [quantity, status] of [
      ['9', 422],
      ['1', 422],
      ['2', 303],
    ] as const)
      assert.equal((await sendForm(link.url, { quantity }, headers)).status, status)
  })
})

test('an address that guesses payment links is refused, and other addresses are not', async () => {
  const { url } = await makeLink({ payerReference: { label: 'Name' } })
  const path = new URL(url).pathname
  const guesser = nextAddress()
  const guess = async () => {
    mock.timers.tick(50)
    return (await view('/l/22222222', guesser)).status
  }
  let misses = 0
  while ((await guess()) === 404) misses++
  // Every two seconds, one more is allowed.
  assert.ok(misses >= 300 && misses <= 310, `${misses}`)
  const refused = await view(path, guesser)
  assert.deepEqual(limitOf(refused).slice(0, 2), [429, 'link-miss-limit'])
  assert.match(refused.headers.get('retry-after')!, /^[12]$/)
  assert.equal((await view(path, nextAddress())).status, 200)
})
