import type { Database } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import { isEnvironment } from '../platform/scope.ts'
import { matchStatements } from '../reconciliation/matching.ts'
import type { Reconciled } from '../reconciliation/objects.ts'

export const matchJob = 'statements.match'

/** What of the service's own statements may name. */
export type FindReconciled = () => Promise<Reconciled[]>

/** Matches statements of one provider. While another import or matching is under way it is refused, and tried again. */
export const matchingJobs = ({
  db,
  findReconciled,
}: {
  db: Database
  findReconciled: FindReconciled
}): Jobs => ({
  [matchJob]: async ({ providerId, of }) => {
    if (typeof providerId !== 'string' || !isEnvironment(of)) throw new Error(`${matchJob} names no provider`)
    await matchStatements(db, await findReconciled(), { providerId, environment: of })
  },
})
