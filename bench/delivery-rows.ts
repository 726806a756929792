import type { DeliveriesTask } from './deliveries.ts'
import { type Node, startNode } from './node.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const endpoints = 10
/** Events on their way at once, for each of `--connections`; and events a second. Each makes ten deliveries. */
const eventsPerConnection = 3
const offeredEvents = 100

/** Webhooks to ten endpoints: as many as can be, then 1 000 a second, then the same while one of them hangs. */
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
