import { setTimeout as sleep } from 'node:timers/promises'
import { showId } from '../packages/server/src/platform/ids.ts'
import { spaceIds } from '../packages/server/src/tenants/spaces/resources.ts'
import { createShop } from './books.ts'
import type { BurstTask } from './burst.ts'
import type { BenchDatabase } from './database.ts'
import type { DeliveriesTask } from './deliveries.ts'
import { type Node, startNode } from './node.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const endpoints = 10
/**
 * Number of concurrent events per unit of `--connections`. The next constant is the number of events per
 * second. Each event causes ten deliveries.
 */
const eventsPerConnection = 3
const offeredEvents = 100

/** Size of the burst in one Space: the number of endpoints, and the number of facts per measured second. */
const burst = { maxEndpoints: 100, factsPerSecond: 12_500, maxFacts: 100_000 }

/**
 * Measures webhooks to ten endpoints: at full speed, at 1,000 per second, at 1,000 per second with one hanging
 * endpoint, and in a burst.
 */
export async function measureDeliveries(run: Run): Promise<void> {
  if (!run.options.only.includes('deliveries')) return
  const eventsAtOnce = run.options.connections * eventsPerConnection
  const node = await startNode(run.database, ['serve', '--work'])
  try {
    const lanes = eventsAtOnce * endpoints
    const offered = offeredEvents * endpoints
    for (const plan of [
      { target: null, lanes, offered: null, historyLines: null },
      { target: null, lanes, offered, historyLines: null },
      { target: 'one hangs', lanes, offered, historyLines: null },
    ] as Plan[])
      await measureDelivered(run, node, plan)
    await measureBurst(run, node)
  } finally {
    await node.stop()
  }
}

async function measureDelivered(run: Run, node: Node, plan: Plan): Promise<void> {
  const { database, books } = run
  const pace = paceOf(run, plan)
  const task: DeliveriesTask = {
    connection: database.connection,
    origin: node.origin,
    token: books.token,
    spaceId: books.shownSpaceId,
    scope: books.scope,
    endpoints,
    isOneHanging: plan.target === 'one hangs',
    pace: {
      ...pace,
      lanes: plan.lanes / endpoints,
      rate: plan.offered === null ? undefined : plan.offered / endpoints,
    },
  }
  await settle(run)
  const told = await measureChild(
    'deliveries.ts',
    task,
    (load) => ({ server: node.pid, load, postgres: database.postmaster }),
    node.metrics,
  )
  run.told({ part: 'deliveries', ...plan, ...told })
}

/**
 * Measures the delivery rate of a Space with a large backlog, and the latency of another Space's events
 * meanwhile.
 */
async function measureBurst(run: Run, node: Node): Promise<void> {
  const { options, database, books } = run
  const other = await createShop(database, 'Other')
  const endpoints = Math.min(burst.maxEndpoints, 2 * options.connections)
  const plan: Plan = { target: 'burst', lanes: endpoints, offered: null, historyLines: null }
  const { warmUpMs, measureMs } = paceOf(run, plan)
  const task: BurstTask = {
    connection: database.connection,
    origin: node.origin,
    endpoints,
    facts: Math.min(burst.maxFacts, Math.ceil(burst.factsPerSecond * options.seconds)),
    busy: { scope: books.scope, token: books.token, spaceId: books.shownSpaceId },
    other: { ...other, spaceId: showId(spaceIds, other.scope.spaceId) },
    warmUpMs,
    measureMs,
  }
  await settle(run)
  const told = await measureChild('burst.ts', task, (load) => ({
    server: node.pid,
    load,
    postgres: database.postmaster,
  }))
  run.told({ part: 'deliveries', ...plan, ...told })
  await allRemoved(database)
}

const removedPollMs = 250
/** Number of deliveries that may remain because they were in progress when their endpoint was removed. */
const mayStay = 1_000

/**
 * Waits until the rest of the burst has been removed together with its endpoints, so that it does not slow down
 * the next row.
 */
async function allRemoved({ client }: BenchDatabase): Promise<void> {
  // every space: only the benchmark's deliveries are pending
  const left = `select 1 from webhook_deliveries where status = 'pending' offset ${mayStay} limit 1`
  while ((await client.query(left)).rows.length > 0) await sleep(removedPollMs)
}
