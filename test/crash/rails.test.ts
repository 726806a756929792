import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endings } from '../endings.ts'
import { call, waitUntil } from '../program.ts'
import { createRailOrders, type Order } from './rail-orders.ts'
import { hasEnded, type Judged, judge, payersAct } from './rail-truth.ts'
import { draw } from './rounds.ts'
import { openStand, type Stand } from './stand.ts'
import { ways } from './ways.ts'

let stand: Stand
let orders: ReturnType<typeof createRailOrders>

before(async () => {
  stand = await openStand()
  for (const currency of new Set(ways.map((way) => way.currency))) await stand.fund(1_000_000_000, currency)
  orders = createRailOrders(stand)
  await beginAll(await orders.first())
  await settle()
})
after(() => stand.close())

/** `npm test` kills once. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
/** So many kills come one after the other, before what they left behind is waited for. */
const roundsAtOnce = 5
const longestLifeMs = 2_500

/** Rails that nobody can query without a reference of theirs, which may be lost for good: a person ends such a payment. */
const forPeople = ways.flatMap(({ provider }) =>
  provider.protocol === 'mpesa-daraja' ? [provider.providerId] : [],
)
const looksForPeople = 30

/** What nobody recorded is called failed only when really nothing can be on its way any more: no clock is moved for that. */
const conclusiveMs = 150_000

const beginAll = (begun: Order[]) => Promise.all(begun.map(({ begin }) => begin()))

/** Begins all of that, and kills the program at any moment meanwhile; then clients who heard nothing say it again. */
async function killRound(begun: Order[]): Promise<void> {
  let isDead = false
  const dead = sleep(draw(0, longestLifeMs)).then(() => {
    isDead = true
    return stand.kill()
  })
  const passTime = async () => {
    while (!isDead) {
      await passTimes(300, '5s')
      await sleep(20)
    }
  }
  const ended = await Promise.allSettled([...begun.map(({ begin }) => begin()), passTime()])
  await dead
  // A connection that is cut is a TypeError of fetch.
  for (const one of ended)
    if (one.status === 'rejected' && !(one.reason instanceof TypeError)) throw one.reason
  await stand.start()
  await Promise.all(begun.map(({ again }) => again?.()))
}

/** Of the payers, the rails and the Space. */
async function passTimes(ofRailsMs: number, ofSpace: string): Promise<void> {
  await payersAct(stand, orders.endingOf)
  await stand.simulator.clock.advance(ofRailsMs)
  await call(stand.shop, 'POST', '/v1/test-clock', { advance: ofSpace })
}

const judged = () => judge(stand, orders.endingOf)

/** Until everything has ended, or waits for a person. */
async function settle(): Promise<Judged[]> {
  let looks = 0
  let open: Judged[] = []
  const look = async () => {
    looks += 1
    await passTimes(looks < 10 ? 300 : 10_000, looks < 10 ? '5s' : '10m')
    const all = await judged()
    const mayWait = ({ providerId }: Judged) => looks > looksForPeople && forPeople.includes(providerId)
    open = all.filter((one) => !(hasEnded(one) || mayWait(one)) || !isCaseThere(one))
    return open.length === 0 && all
  }
  return waitUntil(stand.program, look, conclusiveMs).catch((error) => {
    throw new Error(`after ${looks} looks: ${JSON.stringify(open)}`, { cause: error })
  })
}

/** Where a rail paid what it had called failed. */
const isLate = ({ status, moved }: Judged) => status === 'failed' && moved > 0
const isCaseThere = (one: Judged) => one.hasCase || !isLate(one)

function assertRight(one: Judged): void {
  const { status, had, moved, digits, providerId } = one
  const words = JSON.stringify(one)
  assert.ok(had <= 1 && moved <= 1, `more than once: ${words}`)
  if (status === 'completed') assert.equal(moved, 1, `completed without money: ${words}`)
  if (isLate(one)) assert.equal(digits, '012', `failed, and the rail paid: ${words}`)
  if (had === 1) assert.equal(moved === 1, endings[digits]!.moves, `not the ending that was chosen: ${words}`)
  assert.equal(one.hasCase, isLate(one), `a case: ${words}`)
  assert.ok(hasEnded(one) || forPeople.includes(providerId), `has not ended: ${words}`)
}

for (let first = 1; first <= rounds; first += roundsAtOnce) {
  const last = Math.min(first + roundsAtOnce - 1, rounds)
  test(`every protocol, killed at any moment, rounds ${first} to ${last}: whatever the ending, money in, out and back moves once or never, and the books say so`, async (t) => {
    const before = await judged()
    const asked = { payments: 0, payouts: 0, refunds: 0 }
    for (let round = first; round <= last; round++) {
      const drawn = await orders.draw()
      for (const kind of ['payments', 'payouts', 'refunds'] as const) asked[kind] += drawn[kind].length
      await killRound([...drawn.refunds, ...drawn.payouts, ...drawn.payments])
    }
    const all = await settle()
    for (const one of all) assertRight(one)
    const known = new Set(before.map(({ id }) => id))
    const countOf = (type: Judged['ownerType']) =>
      all.filter(({ id, ownerType }) => ownerType === type && !known.has(id)).length
    // However often a client said it.
    assert.deepEqual([countOf('payout'), countOf('refund')], [asked.payouts, asked.refunds])
    t.diagnostic(`${countOf('payment')} payments, ${asked.payouts} payouts, ${asked.refunds} refunds`)
    await stand.verify()
  })
}
