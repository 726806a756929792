import { openMainAccounts, type Shop } from './books.ts'
import { type Node, startNode } from './node.ts'
import type { OrdersTask } from './orders.ts'
import { payOrders } from './route-fixtures.ts'
import { callersOf, measureChild, type Plan, paceOf, publishSetUp, type Run, settle } from './rows.ts'

const offered = 300
/** Concurrent orders per unit of `--connections`. */
const lanesPerConnection = 4

const destinations = [
  { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
  { type: 'momo', providerId: 'm18', phoneNumber: '077123456' },
  { type: 'bank', providerId: 'slb001', accountNumber: '0011223344' },
  { type: 'bank', providerId: 'slb004', accountNumber: '0011223344' },
  { type: 'wallet', providerId: 'dw001', walletId: 'fatu456' },
]
const amount = { currency: 'SLE', value: 100 }

/**
 * Measures payouts over HTTP to five simulated rails, and refunds to two. One node does everything: it serves
 * requests, calls and simulates the rails, queries outcomes and records them. The delays of the simulated rails
 * are turned off.
 */
export async function measureOrders(run: Run): Promise<void> {
  const { options, database, books } = run
  const parts = (['payouts', 'refunds'] as const).filter((part) => options.only.includes(part))
  if (parts.length === 0) return
  await openMainAccounts(database, [books, ...books.shops])
  await publishSetUp(run)
  const node = await startNode(database, ['serve', '--work'], { RATE_LIMITS: 'off' })
  try {
    for (const part of parts)
      for (const plan of plansOf(options.connections * lanesPerConnection))
        await measurePart(run, node, part, plan)
  } finally {
    await node.stop()
  }
}

const plansOf = (lanes: number): Plan[] => [
  { target: null, lanes, offered: null, historyLines: null },
  { target: 'Spaces', lanes, offered: null, historyLines: null },
  { target: null, lanes, offered, historyLines: null },
]

async function measurePart(run: Run, node: Node, part: 'payouts' | 'refunds', plan: Plan): Promise<void> {
  const { connection, postmaster } = run.database
  const shops = callersOf(run.books, plan)
  const task: OrdersTask = {
    connection,
    origin: node.origin,
    path: `/v1/${part}`,
    shops,
    orders: part === 'payouts' ? payouts(shops) : await refunds(run, node, plan, shops),
    pace: paceOf(run, plan),
  }
  await settle(run)
  const observed = (load: number) => ({ server: node.pid, load, postgres: postmaster })
  run.told({
    part,
    ...plan,
    ...(await measureChild('orders.ts', task, observed, node.metrics, run.database)),
  })
}

const payouts = (shops: Shop[]) =>
  Array.from({ length: shops.length * destinations.length }, (_, turn) => ({
    shop: turn % shops.length,
    body: { amount, destination: destinations[turn % destinations.length] },
  }))

/** More refunds per second than any row reaches. */
const mostPerSecond = 600
/** Maximum number of refunds per payment. */
const refundsOfEach = 20

/** Creates payments for the row and refunds them in turn, so that refunds of one payment are far apart. */
async function refunds({ options }: Run, node: Node, { lanes }: Plan, shops: Shop[]) {
  const most = mostPerSecond * (options.seconds + options.warmUpSeconds)
  const count = Math.max(lanes, Math.ceil(most / refundsOfEach))
  const sellers = Array.from({ length: count }, (_, turn) => shops[turn % shops.length]!)
  const ids = await payOrders(
    sellers.map(({ token, shownSpaceId: spaceId }) => ({ origin: node.origin, token, spaceId })),
  )
  return ids.map((paymentId, turn) => ({
    shop: turn % shops.length,
    body: { paymentId, amount, reason: 'order_cancelled' },
  }))
}
