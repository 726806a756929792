import { setTimeout as sleep } from 'node:timers/promises'
import { showId } from '../src/platform/ids.ts'
import { spaceIds } from '../src/spaces/resources.ts'
import { createShop } from './books.ts'
import type { BurstTask } from './burst.ts'
import type { BenchDatabase } from './database.ts'
import type { DeliveriesTask } from './deliveries.ts'
import { type Node, startNode } from './node.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const endpoints = 10
/** Events on their way at once, for each of `--connections`; and events a second. Each makes ten deliveries. */
const eventsPerConnection = 3
const offeredEvents = 100

/** Of one Space: endpoints, and facts that wait to be told to each of them, so many for each second that is measured. */
const burst = { maxEndpoints: 100, factsPerSecond: 12_500, maxFacts: 100_000 }

/** Webhooks to ten endpoints: as many as can be, then 1 000 a second, then the same while one of them hangs; and what a burst keeps. */
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

/** One Space has very much to be told; the rate is its own, the latency that of another Space's events meanwhile. */
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
/** What was being told to an endpoint in the moment of its removal stays behind. */
const mayStay = 1_000

/** What was left of the burst, with its endpoints: the next row is not to wait for it. */
async function allRemoved({ client }: BenchDatabase): Promise<void> {
  // every space: nobody else waits for a delivery now
  const left = `select 1 from webhook_deliveries where status = 'pending' offset ${mayStay} limit 1`
  while ((await client.query(left)).rows.length > 0) await sleep(removedPollMs)
}
