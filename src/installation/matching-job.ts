import type { Database } from '../platform/db/database.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import { isEnvironment } from '../platform/scope.ts'
import { matchStatements } from '../reconciliation/matching.ts'
import type { ReconciledType } from '../reconciliation/objects.ts'

export const matchJob = 'statements.match'

/** Our objects that statements may refer to. */
export type FindReconciled = () => Promise<ReconciledType[]>

/** Matches one provider's statements. Retried if another import or matching is running. */
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
