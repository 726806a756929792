import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { isEnvironment } from '../../platform/scope.ts'
import { matchStatements } from './matching.ts'
import { sumNewLinesOfAllSpaces } from './summing.ts'

export const matchJob = 'statements.match'

/** Returns the types of objects that a statement can refer to. */
export type FindReconciled = () => Promise<ReconciledType[]>

/**
 * Returns two jobs: one matches a provider's statements, and is retried if another import or matching is
 * running; the other sums the lines of clearing accounts by day.
 */
export const reconciliationJobs = (
  { db, findReconciled }: { db: Database; findReconciled: FindReconciled },
  stopping: AbortSignal,
): Jobs => ({
  [matchJob]: async ({ providerId, of }) => {
    if (typeof providerId !== 'string' || !isEnvironment(of))
      throw new Error(`${matchJob} payload has no provider`)
    await matchStatements(db, await findReconciled(), { providerId, environment: of })
  },
  'overview.tally': () => sumNewLinesOfAllSpaces(db, stopping),
})
