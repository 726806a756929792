import type { Tx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Scope } from '../../platform/scope.ts'
import { roleHas, roleNames } from '../../tenants/spaces/permissions.ts'
import { holdAnnouncements, type readNews } from '../approvals/announcing.ts'
import { selectApprovers } from './store.ts'

export const mailJob = 'approvals.mail'

const gapMs = durationMs('10m') // limit: time between two emails about approvals to a member, per Space and environment
const retriedMs = durationMs('1d') // limit: how long an email about approvals is retried

/**
 * Queues an email for each member who may approve something new, except for what the member created. What is
 * announced within the next ten minutes waits until then.
 */
export async function announce(tx: Tx, scope: Scope, news: ReturnType<typeof readNews>): Promise<void> {
  if (news.length === 0) return
  const until = Date.now() + retriedMs
  const roles = roleNames.filter((role) => news.some(({ permission }) => roleHas(role, permission)))
  for (const { id, role } of await selectApprovers(tx, scope.spaceId, roles))
    if (news.some(({ permission, createdBy }) => createdBy !== id && roleHas(role, permission)))
      enqueue(tx, mailJob, { ...scope, userId: id, until }, `${mailJob} ${id}`)
  await holdAnnouncements(tx, scope, gapMs)
}
