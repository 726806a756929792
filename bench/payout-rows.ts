import { mainAccount, systemAccount } from '../src/ledger/accounts.ts'
import { post } from '../src/ledger/postings.ts'
import { newReference } from '../src/ledger/reference.ts'
import type { Scope } from '../src/platform/clock.ts'
import { showId } from '../src/platform/ids.ts'
import { createToken } from '../src/spaces/spaces.ts'
import { withDatabase } from './books.ts'
import { startNode } from './node.ts'
import type { PayoutsTask } from './payouts.ts'
import { measureChild, type Plan, paceOf, type Run, settle } from './rows.ts'

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
  const { token } = await openShop(run)
  const node = await startNode(database, ['serve', '--work'], { RATE_LIMITS: 'off' })
  try {
    const lanes = options.connections * lanesPerConnection
    for (const offered of [null, offeredPayouts]) {
      const plan: Plan = { target: null, lanes, offered, historyLines: null }
      const task: PayoutsTask = {
        connection: database.connection,
        origin: node.origin,
        token,
        spaceId: books.shownSpaceId,
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

const funds = 1_000_000_000_000n

/** Puts money on the test environment's main account; answers it, and a token. */
export const openShop = ({ database, books }: Run): Promise<{ token: string; mainAccount: string }> =>
  withDatabase(database, (db) =>
    db.transaction(async (tx) => {
      const scope: Scope = { ...books.scope, environment: 'test' }
      const at = new Date()
      const main = await mainAccount(tx, scope, 'SLE', at)
      const funding = await systemAccount(tx, scope, 'funding', 'SLE', at)
      const movements = [
        { accountId: funding, amount: -funds },
        { accountId: main, amount: funds },
      ]
      await post(tx, scope, { reference: newReference(at), at, owners: [], movements })
      const wanted = {
        userId: books.userId,
        environment: 'test',
        name: 'Bench, test',
        scopes: ['*'],
      } as const
      const bounds = { lifeMs: null, spaceIds: [scope.spaceId], networks: null }
      const { text } = await createToken(tx, { ...wanted, scopes: ['*'], ...bounds })
      return { token: text, mainAccount: showId('financialAccount', main) }
    }),
  )
