import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { linkIds } from '../../packages/server/src/ways-to-pay/checkout/resources.ts'
import { createPayer } from '../support/payer.ts'
import { call, waitUntil } from '../support/program.ts'
import { draw, rounds } from './rounds.ts'
import { openStand, type Stand } from './stand.ts'

let stand: Stand
before(async () => {
  stand = await openStand()
})
after(() => stand?.close())

const places = 3
const payersAtOnce = 8
/** Payers, half of whom have no money: they reserve a place and release it. */
const phones = ['076 123 456', '076 000 001']
const longestLifeMs = 1_000

type Link = { id: string; url: string; status: string; paymentCount: number }

async function makeLink(): Promise<Link> {
  const lineItems = [{ name: 'Ticket', price: { currency: 'SLE', value: 1_000 } }]
  const link = { name: 'Concert', lineItems, maxPayments: places }
  return (await call(stand.shop, 'POST', '/v1/payment-links', link)).body.result
}

/** Follows the link, and pays on the session's page. */
async function payThrough({ url }: Link, phone: string): Promise<void> {
  const page = createPayer(url)
  const { location } = await page.post('', { formToken: await page.formToken() })
  assert.ok(location, 'the link leads to a session')
  await createPayer(new URL(location, url).href).pay('m17', phone)
}

const paymentsOf = ({ id }: Link) =>
  stand.db.query<{ status: string }>(sql`
    select payment.status from payments payment
    join checkout_sessions session
      on session.space_id = payment.space_id and session.environment = payment.environment
      and session.id = payment.origin_id and payment.origin_type = 'checkout_session'
    where session.space_id = ${stand.scope.spaceId} and session.environment = 'test'
      and session.payment_link_id = ${readId(linkIds, id)}`)

/**
 * Moves the clocks of the rail and the Space until each payment has ended. Returns the number of completed
 * ones.
 */
const settled = (link: Link) =>
  waitUntil(stand.program, async () => {
    await stand.simulator.clock.advance(300)
    await call(stand.shop, 'POST', '/v1/test-clock', { advance: '5s' })
    const payments = await paymentsOf(link)
    const hasEnded = payments.every(({ status }) => status === 'completed' || status === 'failed')
    return hasEnded && { completed: payments.filter(({ status }) => status === 'completed').length }
  })

const read = async ({ id }: Link): Promise<Link> =>
  (await call(stand.shop, 'GET', `/v1/payment-links/${id}`)).body.result

/** Returns the number of payers who were told that the link is full. */
const timesFull = async ({ id }: Link) =>
  (
    await stand.db.query(sql`
      select from event_facts
      where space_id = ${stand.scope.spaceId} and environment = 'test' and object_id = ${readId(linkIds, id)}
        and 'payment_link.completed' = any(types)`)
  ).length

test('when the program is killed at any moment, a link counts each payment once, never accepts more than its limit, and releases the places of failed ones', async (t) => {
  let taken = 0
  for (let round = 1; round <= rounds; round++) {
    const link = await makeLink()
    // Payers who come too late, or while the program is down, do not pay. Whether anyone can still pay depends
    // on the remaining places.
    const payer = (i: number) => payThrough(link, phones[i % phones.length]!).catch(() => {})
    const paying = Promise.all(Array.from({ length: payersAtOnce }, (_, i) => payer(i)))
    await sleep(draw(0, longestLifeMs))
    await stand.kill()
    await paying
    await stand.start()

    const { completed } = await settled(link)
    const { status, paymentCount } = await read(link)
    assert.equal(paymentCount, completed)
    assert.ok(completed <= places, `${completed} of ${places}`)
    assert.equal(status, completed === places ? 'completed' : 'active')
    taken += completed

    // Exactly the remaining places can still be taken.
    for (let left = places - completed; left > 0; left--) await payThrough(link, phones[0]!)
    assert.equal((await settled(link)).completed, places)
    const full = await read(link)
    assert.deepEqual([full.status, full.paymentCount], ['completed', places])
    assert.equal(await timesFull(link), 1)
  }
  t.diagnostic(`${taken} payments before and during ${rounds} crashes`)
  await stand.verify()
})
