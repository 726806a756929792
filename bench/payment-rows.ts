import { setTimeout as sleep } from 'node:timers/promises'
import { openMainAccounts } from './books.ts'
import { endChild, forkListening } from './children.ts'
import { type Node, startNode } from './node.ts'
import type { Figures } from './pace.ts'
import type { PaymentsTask } from './payments.ts'
import type { RailTask } from './rail.ts'
import { callersOf, measureChild, type Plan, paceOf, publishSetUp, type Run, settle } from './rows.ts'

export const usualMs = 300
const slowMs = 2_000
/** Hides warnings about calls that hang or that are late on an overloaded machine. */
const quiet = { LOG_LEVEL: 'error' }

type PaymentPlan = Plan & { latencyMs: number }

/**
 * Measures payments from the session to completion, in closed loops of `--payers`. The rail runs in its own
 * process and takes 300 ms per call. It is also measured with 2 s per call, and while another rail hangs. In
 * the last rows, the simulator runs in the node, and the merchant polls the session.
 */
export async function measurePayments(run: Run): Promise<void> {
  if (!run.options.only.includes('payments')) return
  await openMainAccounts(run.database, [run.books, ...run.books.shops])
  await publishSetUp(run)
  const plans = Map.groupBy(plansOf(run.options.payers), ({ target }) => target === 'polled')
  await withRail(run, async (node, rail) => {
    for (const plan of plans.get(false)!) {
      const hanging = plan.target === 'one hangs' ? ['m18'] : []
      await rail.behaving({ latencyMs: plan.latencyMs, hanging }, () =>
        measurePaid(run, node, plan, rail.pid),
      )
    }
  })
  const node = await startNode(run.database, ['start'], quiet)
  try {
    for (const plan of plans.get(true)!) {
      await measurePaid(run, node, plan)
      await allEnded(run)
    }
  } finally {
    await node.stop()
  }
}

function plansOf(payers: number[]): PaymentPlan[] {
  const plan = (lanes: number, target: Plan['target'] = null, latencyMs = usualMs): PaymentPlan => ({
    target,
    lanes,
    offered: null,
    historyLines: null,
    latencyMs,
  })
  const many = payers.slice(-2)
  return [
    ...payers.map((lanes) => plan(lanes)),
    plan(many[0]!, 'Spaces'),
    plan(payers.at(-1)!, 'slow', slowMs),
    plan(many[0]!, 'one hangs'),
    ...many.map((lanes) => plan(lanes, 'polled')),
  ]
}

export type Rail = {
  pid: number
  /**
   * Runs `work` while the rail behaves as specified. Then makes the rail respond immediately again, and waits
   * until no payment is in progress.
   */
  behaving(how: RailTask, work: () => Promise<void>): Promise<void>
}

/** Starts the process that simulates the rail, and a node that does everything else. */
export async function withRail(run: Run, work: (node: Node, rail: Rail) => Promise<void>): Promise<void> {
  const atOnce: RailTask = { latencyMs: 0, hanging: [] }
  const { child, port } = await forkListening('rail.ts', atOnce)
  const behaving: Rail['behaving'] = async (how, measure) => {
    child.send(how)
    await measure()
    child.send(atOnce)
    await allEnded(run)
  }
  try {
    const node = await startNode(run.database, ['serve', '--work'], {
      SIMULATOR_URL: `http://127.0.0.1:${port}`,
      ...quiet,
    })
    try {
      await work(node, { pid: child.pid!, behaving })
    } finally {
      await node.stop()
    }
  } finally {
    await endChild(child)
  }
}

async function measurePaid(run: Run, node: Node, plan: PaymentPlan, rail?: number): Promise<void> {
  const { latencyMs: _, ...shown } = plan
  const { database, books } = run
  const task: PaymentsTask = {
    connection: database.connection,
    origin: node.origin,
    shops: callersOf(books, plan),
    hangingPayers: plan.target === 'one hangs' ? plan.lanes : 0,
    isPolled: plan.target === 'polled',
    pace: { ...paceOf(run, plan), warmUpMs: warmUpOf(run, plan) },
  }
  await settle(run)
  const since = new Date()
  const told = await measureChild(
    'payments.ts',
    task,
    (load) => ({ server: node.pid, load, postgres: database.postmaster, ...(rail && { rail }) }),
    node.metrics,
    database,
  )
  const figures = await withFailed(run, told.figures, since)
  run.told({ part: 'payments', ...shown, ...told, figures })
}

/**
 * Returns the length of the warm-up, in milliseconds. It lasts until the first wave of payments is over and
 * arrivals have spread out. It is longer with many payers, with a slow rail, and if many Spaces have to open
 * the accounts for their first payments.
 */
export const warmUpOf = (
  { options, books }: Run,
  { lanes, latencyMs, target }: Pick<PaymentPlan, 'lanes' | 'latencyMs' | 'target'>,
) =>
  options.warmUpSeconds *
  (1000 + 2 * lanes + 2 * latencyMs + (target === 'Spaces' ? firstPaymentMs * books.shops.length : 0))

const firstPaymentMs = 8

/**
 * Adds the payments that failed at the responding rail to the failures, because a row would not show them
 * otherwise.
 */
export async function withFailed({ database }: Run, figures: Figures, since: Date): Promise<Figures> {
  // every space: all merchants
  const { rows } = await database.client.query(
    `select count(*)::int as failed, min(failure_code) as code from payments
     where provider_id = 'm17' and status = 'failed' and created_at >= $1`,
    [since],
  )
  const [{ failed, code }] = rows
  if (failed === 0) return figures
  return {
    ...figures,
    failed: figures.failed + failed,
    failure: figures.failure ?? `a payment failed: ${code}`,
  }
}

const endLimitMs = 60_000
const endPollMs = 250

/** Waits for payments that a row left in progress. */
async function allEnded({ database }: Run): Promise<void> {
  const deadline = performance.now() + endLimitMs
  const left = async () => {
    // every space: all merchants
    const { rows } = await database.client.query(
      `select 1 from payments
       where status in ('pending', 'processing') limit 1`,
    )
    return rows.length > 0
  }
  while ((await left()) && performance.now() < deadline) await sleep(endPollMs)
}
