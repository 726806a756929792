import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import { expireHold } from './holds.ts'

/** The jobs that expire holds. */
export const ledgerJobs = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Jobs => ({
  'ledger.expire-hold': (payload) => {
    const scope = scopeOf(payload)
    return db.transaction((tx) => expireHold(tx, scope, String(payload.holdId), clock.now(scope)))
  },
})
