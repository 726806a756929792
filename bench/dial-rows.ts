import { createSeals } from '../src/platform/seals.ts'
import { testGatewaySecret } from '../src/providers/simulator/credentials.ts'
import { openCodes } from './codes.ts'
import { readTransactions } from './costs.ts'
import type { DialsTask } from './dials.ts'
import { type Node, startNode } from './node.ts'
import type { Pace } from './pace.ts'
import { usualMs, warmUpOf, withFailed, withRail } from './payment-rows.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const offeredSteps = 1_000

/**
 * Steps of dialogues over the gateway's protocol, with `--codes` live codes: as many as can be, then 1 000 a second; and
 * dialogues that pay, from the confirmation to the end of the payment.
 */
export async function measureDials(run: Run): Promise<void> {
  const { options, database, books } = run
  if (!options.only.includes('dials')) return
  await openCodes(database, books, options.codes)
  const node = await startNode(database, ['serve'])
  try {
    const lanes = options.connections
    for (const offered of [null, offeredSteps])
      await measureSteps(run, node, { target: null, lanes, offered, historyLines: null })
  } finally {
    await node.stop()
  }
  await withRail(run, (paying, rail) =>
    rail.behaving({ latencyMs: usualMs, hanging: [] }, () => measurePaid(run, paying, rail.pid)),
  )
}

const taskOf = ({ database, options }: Run, node: Node, pace: Pace, pays: boolean): DialsTask => ({
  connection: database.connection,
  origin: node.origin,
  path: `/ussd/africastalking/${testGatewaySecret(createSeals(node.secretKey))}`,
  codes: options.codes,
  pays,
  pace,
})

async function measureSteps(run: Run, node: Node, plan: Plan): Promise<void> {
  await settle(run)
  const told = await measureChild(
    'dials.ts',
    taskOf(run, node, paceOf(run, plan), false),
    (load) => ({ server: node.pid, load, postgres: run.database.postmaster }),
    node.metrics,
  )
  run.told({ part: 'dials', ...plan, ...told })
}

async function measurePaid(run: Run, node: Node, rail: number): Promise<void> {
  const { database, options } = run
  const lanes = options.payers.at(-2) ?? options.payers[0]!
  const plan: Plan = { target: 'paid', lanes, offered: null, historyLines: null }
  const pace = { ...paceOf(run, plan), warmUpMs: warmUpOf(run, { lanes, latencyMs: usualMs }) }
  await settle(run)
  const since = new Date()
  const told = await measureChild(
    'dials.ts',
    taskOf(run, node, pace, true),
    (load) => ({ server: node.pid, load, rail, postgres: database.postmaster }),
    node.metrics,
    () => readTransactions(database),
  )
  run.told({ part: 'dials', ...plan, ...told, figures: await withFailed(run, told.figures, since) })
}
