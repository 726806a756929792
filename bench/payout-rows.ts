import { openMainAccounts } from './books.ts'
import { startNode } from './node.ts'
import type { PayoutsTask } from './payouts.ts'
import { callersOf, measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

const offeredPayouts = 300
/** On their way at once, for each of `--connections`. */
const lanesPerConnection = 4

/**
 * Payouts over HTTP to five simulated rails, on a node that does everything: serves, tells the rails, plays them, asks
 * what became of the payouts and books them. The simulated rails' own pace is lifted.
 */
export async function measurePayouts(run: Run): Promise<void> {
  const { options, database, books } = run
  if (!options.only.includes('payouts')) return
  await openMainAccounts(database, [books, ...books.shops])
  const node = await startNode(database, ['serve', '--work'], { RATE_LIMITS: 'off' })
  try {
    const lanes = options.connections * lanesPerConnection
    const plans: Plan[] = [
      { target: null, lanes, offered: null, historyLines: null },
      { target: 'Spaces', lanes, offered: null, historyLines: null },
      { target: null, lanes, offered: offeredPayouts, historyLines: null },
    ]
    for (const plan of plans) {
      const task: PayoutsTask = {
        connection: database.connection,
        origin: node.origin,
        shops: callersOf(books, plan),
        pace: paceOf(run, plan),
      }
      await settle(run)
      const told = await measureChild(
        'payouts.ts',
        task,
        (load) => ({ server: node.pid, load, postgres: database.postmaster }),
        node.metrics,
      )
      run.told({ part: 'payouts', ...plan, ...told })
    }
  } finally {
    await node.stop()
  }
}
