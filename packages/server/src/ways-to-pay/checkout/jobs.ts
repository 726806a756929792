import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import { expireSession } from './sessions.ts'

export function checkoutJobs(parts: Platform): Jobs {
  const { db, clock } = parts
  return {
    'checkout-session.expire': (payload) => {
      const scope = scopeOf(payload)
      const id = String(payload.sessionId)
      return db.transaction((tx) => expireSession(tx, parts, scope, id, clock.now(scope)))
    },
  }
}
