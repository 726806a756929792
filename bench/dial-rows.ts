import { createSeals } from '../packages/server/src/platform/seals.ts'
import { testGatewaySecret } from '../packages/server/src/ways-to-pay/ussd/test-gateway.ts'
import { type Codes, openCodes } from './codes.ts'
import type { DialsTask } from './dials.ts'
import { type Node, startNode } from './node.ts'
import { usualMs, warmUpOf, withFailed, withRail } from './payment-rows.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const offeredSteps = 1_000

/**
 * Measures USSD steps over the gateway's protocol with `--codes` active codes, at full speed and at 1,000 per
 * second. Also measures dialogues that pay, from the confirmation until the payment is completed.
 */
export async function measureDials(run: Run): Promise<void> {
  const { options, database, books } = run
  if (!options.only.includes('dials')) return
  const { ofOne, ofMany } = await openCodes(database, books, options.codes)
  const node = await startNode(database, ['serve'])
  try {
    const lanes = options.connections
    for (const offered of [null, offeredSteps])
      await measureSteps(run, node, { target: null, lanes, offered, historyLines: null }, ofOne)
  } finally {
    await node.stop()
  }
  await withRail(run, (paying, rail) =>
    rail.behaving({ latencyMs: usualMs, hanging: [] }, async () => {
      await measurePaid(run, paying, rail.pid, 'paid', ofOne)
      await measurePaid(run, paying, rail.pid, 'Spaces', ofMany)
    }),
  )
}

const taskOf = (
  { database }: Run,
  node: Node,
  task: Pick<DialsTask, 'pace' | 'codes' | 'pays'>,
): DialsTask => ({
  connection: database.connection,
  origin: node.origin,
  path: `/ussd/africastalking/${testGatewaySecret(createSeals(node.secretKey))}`,
  ...task,
})

async function measureSteps(run: Run, node: Node, plan: Plan, codes: Codes): Promise<void> {
  await settle(run)
  const told = await measureChild(
    'dials.ts',
    taskOf(run, node, { pace: paceOf(run, plan), codes, pays: false }),
    (load) => ({ server: node.pid, load, postgres: run.database.postmaster }),
    node.metrics,
  )
  run.told({ part: 'dials', ...plan, ...told })
}

async function measurePaid(
  run: Run,
  node: Node,
  rail: number,
  target: 'paid' | 'Spaces',
  codes: Codes,
): Promise<void> {
  const { database, options } = run
  const lanes = options.payers.at(-2) ?? options.payers[0]!
  const plan: Plan = { target, lanes, offered: null, historyLines: null }
  const pace = { ...paceOf(run, plan), warmUpMs: warmUpOf(run, { lanes, latencyMs: usualMs, target }) }
  await settle(run)
  const since = new Date()
  const told = await measureChild(
    'dials.ts',
    taskOf(run, node, { pace, codes, pays: true }),
    (load) => ({ server: node.pid, load, rail, postgres: database.postmaster }),
    node.metrics,
    database,
  )
  run.told({ part: 'dials', ...plan, ...told, figures: await withFailed(run, told.figures, since) })
}
