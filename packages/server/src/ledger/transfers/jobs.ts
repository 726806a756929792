import { batchKeyOf, createBatches } from '../../platform/batches.ts'
import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { isBalanceOutOfRange } from '../accounts/store.ts'
import { beginTransfer, executeTransfers, failForBalanceOverflow } from './transfers.ts'

/** The jobs that execute scheduled transfers when they are due. */
export function transferJobs({ db, clock, metrics }: Platform): Jobs {
  const executions = createBatches<{ scope: Scope; id: string }, void>({
    run: async (transfers, bounds) => {
      const due = transfers.map((one) => ({ ...one, at: clock.now(one.scope) }))
      await db.transaction((tx) => executeTransfers(tx, due), bounds)
      return transfers.map(() => ({ answer: undefined }))
    },
    tenantOf: ({ scope }) => batchKeyOf(scope),
    observe: (size) => metrics.batchSizes.observe({ command: 'internal-transfers.execute' }, size),
  })
  return {
    'internal-transfers.execute': async (payload) => {
      const scope = scopeOf(payload)
      const id = String(payload.transferId)
      if (!(await db.transaction((tx) => beginTransfer(tx, scope, id, clock.now(scope))))) return
      await executions.submit('', { scope, id }).catch((error) => {
        if (!isBalanceOutOfRange(error)) throw error
        return db.transaction((tx) => failForBalanceOverflow(tx, { scope, id, at: clock.now(scope) }))
      })
    },
  }
}
