import { createSeals } from '../src/platform/seals.ts'
import { testGatewaySecret } from '../src/providers/simulator/credentials.ts'
import { openCodes } from './codes.ts'
import type { DialsTask } from './dials.ts'
import { type Node, startNode } from './node.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const offeredSteps = 1_000

/**
 * Steps of dialogues over the gateway's protocol, with `--codes` live codes: as many as can be, then 1 000 a second; in
 * the last row every dialogue pays. The node only serves: what a payment begins is done by working nodes.
 */
export async function measureDials(run: Run): Promise<void> {
  const { options, database, books } = run
  if (!options.only.includes('dials')) return
  await openCodes(database, books, options.codes)
  const node = await startNode(database, ['serve'])
  try {
    const lanes = options.connections
    const plans: Plan[] = [
      { target: null, lanes, offered: null, historyLines: null },
      { target: null, lanes, offered: offeredSteps, historyLines: null },
      { target: 'paid', lanes, offered: offeredSteps, historyLines: null },
    ]
    for (const plan of plans) await measureSteps(run, node, plan)
  } finally {
    await node.stop()
  }
}

async function measureSteps(run: Run, node: Node, plan: Plan): Promise<void> {
  const task: DialsTask = {
    origin: node.origin,
    path: `/ussd/africastalking/${testGatewaySecret(createSeals(node.secretKey))}`,
    codes: run.options.codes,
    firstCode: 0,
    pays: plan.target === 'paid',
    pace: paceOf(run, plan),
  }
  await settle(run)
  const told = await measureChild(
    'dials.ts',
    task,
    (load) => ({ server: node.pid, load, postgres: run.database.postmaster }),
    node.metrics,
  )
  run.told({ part: 'dials', ...plan, ...told })
}
