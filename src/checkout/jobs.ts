import type { JobPayload } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import type { Scope } from '../platform/scope.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { expireSession } from './sessions.ts'

/** What happens to a session later: its time ends. */
export function checkoutJobs(parts: Platform & { catalogue: Catalogue }): Jobs {
  const { db, clock } = parts
  const withScope = (work: (scope: Scope, payload: JobPayload) => Promise<void>) => (payload: JobPayload) =>
    work({ spaceId: payload.spaceId, environment: payload.environment }, payload)
  const expire = (scope: Scope, id: string) =>
    db.transaction((tx) => expireSession(tx, parts, scope, id, clock.now(scope)))

  return {
    'checkout-session.expire': withScope((scope, payload) => expire(scope, String(payload.sessionId))),
  }
}
