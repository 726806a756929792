import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { enqueueOrExtend } from '../../platform/jobs/queue.ts'
import type { Scope } from '../../platform/scope.ts'

/** The permissions with which members approve: payouts and batches with one, refunds with the other. */
export const approvePermissions = ['payouts:approve', 'refunds:approve'] as const
export type ApprovePermission = (typeof approvePermissions)[number]

/** The job that announces what is new. There is one waiting row for it per Space and environment. */
export const announceJob = 'approvals.announce'

/**
 * Objects created within this time are announced together. The time is also longer than the transaction that
 * makes the announcement, so the next one cannot begin before that transaction has made it wait.
 */
const gatherMs = 5_000 // limit: time for which new approvals are collected before they are announced by email

/** The creator of an object that the operator created. */
const operator = 'operator'

/** Announces new objects that await approval. Their mails are sent after the commit. */
export function announceApprovals(
  tx: Tx,
  permission: ApprovePermission,
  created: Scoped<{ createdBy: string | null }>[],
): void {
  const bySpace = Map.groupBy(created, ({ scope }) => `${scope.spaceId} ${scope.environment}`)
  // Transactions that announce for several Spaces write their jobs in the same order, so that they cannot
  // deadlock.
  for (const [, ofSpace] of [...bySpace].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const news = ofSpace.map(({ createdBy }) => [newsKey(permission, createdBy), true])
    const { scope } = must(ofSpace[0], 'new object')
    const payload = { ...scope, ...Object.fromEntries(news) }
    enqueueOrExtend(tx, announceJob, payload, { key: announceJob, afterMs: gatherMs })
  }
}

const newsKey = (permission: ApprovePermission, createdBy: string | null) =>
  `${permission} ${createdBy ?? operator}`

/** Makes the next announcement in the Space wait. Announcements made until then are added to it. */
export const holdAnnouncements = (tx: Tx, scope: Scope, afterMs: number) =>
  enqueueOrExtend(tx, announceJob, scope, { key: announceJob, afterMs, isPostponed: true })

/** Returns what is new according to the job's payload: who created something, and which permission approves it. */
export const readNews = (payload: object) =>
  Object.keys(payload).flatMap((key) => {
    const [name, createdBy] = key.split(' ')
    const permission = approvePermissions.find((one) => one === name)
    return permission ? [{ permission, createdBy: createdBy === operator ? null : createdBy }] : []
  })
