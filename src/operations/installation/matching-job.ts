import { matchStatements } from '../../finance/reconciliation/matching.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { isEnvironment } from '../../platform/scope.ts'

export const matchJob = 'statements.match'

/** Returns the types of our objects that statements may refer to. */
export type FindReconciled = () => Promise<ReconciledType[]>

/**
 * Returns the job that matches one provider's statements. It is retried if another import or matching is
 * running.
 */
export const matchingJobs = ({
  db,
  findReconciled,
}: {
  db: Database
  findReconciled: FindReconciled
}): Jobs => ({
  [matchJob]: async ({ providerId, of }) => {
    if (typeof providerId !== 'string' || !isEnvironment(of))
      throw new Error(`${matchJob} payload has no provider`)
    await matchStatements(db, await findReconciled(), { providerId, environment: of })
  },
})
