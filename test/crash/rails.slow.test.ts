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
after(() => stand?.close())

/** `npm run test:all` kills once. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
/** The number of kills after which the remaining work is awaited. */
const roundsAtOnce = 5
const longestLifeMs = 2_500
/** How long a request to any rail may still be on its way: a minute and a half for Airtel. */
const longestMs = 300_000

const beginAll = (begun: Order[]) => Promise.all(begun.map(({ begin }) => begin()))

/**
 * Begins all orders and kills the program at a random moment. Clients without a response then repeat their
 * requests.
 */
async function killRound(begun: Order[]): Promise<void> {
  let isDead = false
  const began = begun.map((one) => one.begin())
  // Even on a slow machine, some orders have begun by then.
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
  // `fetch` reports a dropped connection as a TypeError.
  for (const one of ended)
    if (one.status === 'rejected' && !(one.reason instanceof TypeError)) throw one.reason
  await stand.start()
  await Promise.all(begun.map(({ again }) => again?.()))
}

for (let first = 1; first <= rounds; first += roundsAtOnce) {
  const last = Math.min(first + roundsAtOnce - 1, rounds)
  test(`when the program is killed at any moment, in rounds ${first} to ${last}, the money of every order in every protocol moves at most once, and the books match the rails`, {
    timeout: longestMs,
  }, async (t) => {
    const before = await time.judged()
    const drawnCounts = { payments: 0, payouts: 0, refunds: 0 }
    for (let round = first; round <= last; round++) {
      const drawn = await orders.draw()
      for (const kind of ['payments', 'payouts', 'refunds'] as const) drawnCounts[kind] += drawn[kind].length
      await killRound([...drawn.payments, ...drawn.payouts, ...drawn.refunds])
    }
    const all = await time.settle()
    for (const one of all) assertRight(one)
    const known = new Set(before.map(({ id }) => id))
    const countOf = (type: Judged['ownerType']) =>
      all.filter(({ id, ownerType }) => ownerType === type && !known.has(id)).length
    // Even if a client repeated the request several times.
    assert.deepEqual([countOf('payout'), countOf('refund')], [drawnCounts.payouts, drawnCounts.refunds])
    t.diagnostic(
      `${countOf('payment')} payments, ${drawnCounts.payouts} payouts, ${drawnCounts.refunds} refunds`,
    )
    await stand.verify()
  })
}
