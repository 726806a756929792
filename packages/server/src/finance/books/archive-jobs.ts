import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import { ArchiveError, archivedUpTo, archiveMonth } from './archive.ts'
import { findUnits } from './archive-units.ts'
import type { BooksSettings } from './settings.ts'
import type { FindChecks } from './verify.ts'

type Parts = Pick<
  Platform<BooksSettings & { refundWindowMs: number }>,
  'db' | 'log' | 'seals' | 'settings'
> & {
  findChecks: FindChecks
}

/** Archives every month that ended long enough ago, if ARCHIVE_AFTER is set. Months are the operator's, so this uses wall-clock time. */
export const archiveJobs = (
  { db, log, seals, settings: { archiveAfterMonths: afterMonths, refundWindowMs }, findChecks }: Parts,
  stopping: AbortSignal,
): Jobs => ({
  'books.archive': async () => {
    if (afterMonths === undefined) return
    const now = new Date()
    const due = (await findUnits(db)).filter(({ endsAt }) => endsAt <= archivedUpTo({ now, afterMonths }))
    for (const { month } of due)
      try {
        const decider = { by: 'pesewa', reason: `ARCHIVE_AFTER is ${afterMonths} months` }
        const options = { findChecks, seals, refundWindowMs, now, afterMonths, decider, signal: stopping }
        log.info(await archiveMonth(db, month, options), 'archived a month')
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error
        log.warn({ month, reason: error.message }, 'a month could not be archived; will retry tomorrow')
        return
      }
  },
})
