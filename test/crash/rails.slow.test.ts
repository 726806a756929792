import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRailOrders, type Order, type RailOrders } from './rail-orders.ts'
import type { Judged } from './rail-truth.ts'
import { draw } from './rounds.ts'
import { assertRight, openSettling } from './settling.ts'
import { openStand, type Stand } from './stand.ts'
import { ways } from './ways.ts'

let stand: Stand
let orders: RailOrders
let time: ReturnType<typeof openSettling>

before(async () => {
  stand = await openStand()
  for (const currency of new Set(ways.map((way) => way.currency))) await stand.fund(1_000_000_000, currency)
  orders = createRailOrders(stand)
  time = openSettling(stand, orders)
  await beginAll(await orders.first())
  await time.settle()
})
after(() => stand.close())

/** `npm run test:all` kills once. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
/** How many kills follow each other before the remaining work is awaited. */
const roundsAtOnce = 5
const longestLifeMs = 2_500
/** Until no request can be on its way to any rail: for Airtel this takes a minute and a half. */
const longestMs = 300_000

const beginAll = (begun: Order[]) => Promise.all(begun.map(({ begin }) => begin()))

/**
 * Begins all of them and kills the program at any moment; then clients without a response repeat their
 * requests.
 */
async function killRound(begun: Order[]): Promise<void> {
  let isDead = false
  const began = begun.map((one) => one.begin())
  // However slow the machine is, something has begun by then.
  const dead = Promise.any(began)
    .then(() => sleep(draw(0, longestLifeMs)))
    .then(() => {
      isDead = true
      return stand.kill()
    })
  const passTime = async () => {
    while (!isDead) {
      await time.passTimes(300, '5s')
      await sleep(20)
    }
  }
  const ended = await Promise.allSettled([...began, passTime()])
  await dead
  // A dropped connection is a TypeError of fetch.
  for (const one of ended)
    if (one.status === 'rejected' && !(one.reason instanceof TypeError)) throw one.reason
  await stand.start()
  await Promise.all(begun.map(({ again }) => again?.()))
}

for (let first = 1; first <= rounds; first += roundsAtOnce) {
  const last = Math.min(first + roundsAtOnce - 1, rounds)
  test(`every protocol, killed at any moment, rounds ${first} to ${last}: whatever the ending, money in, out and back moves at most once, and the books agree`, {
    timeout: longestMs,
  }, async (t) => {
    const before = await time.judged()
    const asked = { payments: 0, payouts: 0, refunds: 0 }
    for (let round = first; round <= last; round++) {
      const drawn = await orders.draw()
      for (const kind of ['payments', 'payouts', 'refunds'] as const) asked[kind] += drawn[kind].length
      await killRound([...drawn.payments, ...drawn.payouts, ...drawn.refunds])
    }
    const all = await time.settle()
    for (const one of all) assertRight(one)
    const known = new Set(before.map(({ id }) => id))
    const countOf = (type: Judged['ownerType']) =>
      all.filter(({ id, ownerType }) => ownerType === type && !known.has(id)).length
    // However often a client repeated it.
    assert.deepEqual([countOf('payout'), countOf('refund')], [asked.payouts, asked.refunds])
    t.diagnostic(`${countOf('payment')} payments, ${asked.payouts} payouts, ${asked.refunds} refunds`)
    await stand.verify()
  })
}
