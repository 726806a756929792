import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { sendForm } from './visitor.ts'

// A link with few slots, and an address that tries to take all of them with unanswered prompts.

const limits = ['SPACE_LIMIT_TEST', 'TOKEN_LIMIT_TEST', 'ENDPOINT_LIMIT_TEST', 'PAGE_LIMIT', 'VIEW_LIMIT']
const rail = createManualClock()
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: {
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '127.0.0.1',
    ...Object.fromEntries(limits.map((name) => [name, '1000'])),
  },
})
after(() => t.close())
const merchant = await t.merchant()

let nth = 0
const newAddress = () => `203.0.${++nth >> 8}.${nth & 255}`
const newPhone = (ending = '003') => `0761${String(++nth).padStart(2, '0')}${ending}`

async function makeLink(maxPayments: number) {
  const { body } = await merchant.call('POST', '/v1/payment-links', {
    name: 'Concert',
    lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 15_000 } }],
    maxPayments,
  })
  return body.result as { id: string; url: string }
}

/** Opens a session's page from any address; it may be paid from another. */
async function openPage(link: { url: string }): Promise<string> {
  const response = await sendForm(link.url, {}, { 'x-forwarded-for': newAddress() })
  return new URL(response.headers.get('location') ?? assert.fail(await response.text()), link.url).href
}
const payAs = async (address: string, page: string, phone = newPhone()) =>
  (await createPayer(page, { 'x-forwarded-for': address }).pay('m17', phone)).status

const countHeld = async () =>
  (
    await t.app.parts.db.only<{ held: number }>(sql`
    select count(*)::int as held from payment_link_places
    where space_id = ${merchant.scope.spaceId} and environment = 'test'`)
  ).held

test('the open prompts of one address take at most a quarter of the remaining slots, and other addresses get one', async () => {
  const link = await makeLink(8)
  const pages = await Promise.all(Array.from({ length: 6 }, () => openPage(link)))
  const greedy = newAddress()
  const statuses = []
  for (const page of pages) statuses.push(await payAs(greedy, page))
  assert.deepEqual(statuses, [303, 303, 429, 429, 429, 429])
  const { body } = await merchant.call('GET', `/v1/checkout-sessions?paymentLinkId=${link.id}`)
  const endings = body.result.map(({ status }: { status: string }) => status)
  assert.deepEqual([...new Set(endings)], ['pending'], 'the refused ones can be paid later')
  assert.equal(await countHeld(), 2)
  for (const page of pages.slice(2, 4)) assert.equal(await payAs(newAddress(), page), 303)
  assert.equal(await countHeld(), 4)
})

test('a released slot can be taken again, even by the same address', async () => {
  const link = await makeLink(4)
  const before = await countHeld()
  const [first, second] = [await openPage(link), await openPage(link)]
  const address = newAddress()
  assert.deepEqual([await payAs(address, first, newPhone('001')), await payAs(address, second)], [303, 429])
  await until(async () => {
    await rail.advance(300)
    return (await countHeld()) === before
  })
  assert.equal(await payAs(address, second), 303)
})

test('concurrent payments from one address take no more slots than sequential ones', async () => {
  const link = await makeLink(8)
  const pages = await Promise.all(Array.from({ length: 8 }, () => openPage(link)))
  const address = newAddress()
  const before = await countHeld()
  const statuses = await Promise.all(pages.map((page) => payAs(address, page)))
  assert.equal(statuses.filter((status) => status === 303).length, 2)
  assert.equal((await countHeld()) - before, 2)
  await t.verify()
})

test('a link without a maximum has no slots that could be taken', async () => {
  const { body } = await merchant.call('POST', '/v1/payment-links', {
    name: 'Concert',
    lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 15_000 } }],
  })
  const address = newAddress()
  for (let i = 0; i < 5; i++) assert.equal(await payAs(address, await openPage(body.result)), 303)
})
