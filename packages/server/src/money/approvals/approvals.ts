import { orNull, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { Sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/unnest.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { userIds } from '../../tenants/spaces/resources.ts'

/** Another user's approval of an object. */
export type Approval = {
  /** Null if no approval was needed. */
  approval: 'required' | 'approved' | 'rejected' | null
  /** The user who decided, and the time of the decision. */
  approvalUserId: string | null
  approvalAt: Date | null
}

/** The columns of an approval in the table of its object. */
export const approvalColumns: Columns<Approval> = {
  approval: orNull(textOf<'required' | 'approved' | 'rejected'>()),
  approvalUserId: orNull(uuid),
  approvalAt: orNull(time),
}

export const approvalColumnNames = ['approval', 'approvalUserId', 'approvalAt'] as const

/** Returns the approval of a new object. */
export const newApproval = (isNeeded: boolean): Approval => ({
  approval: isNeeded ? 'required' : null,
  approvalUserId: null,
  approvalAt: null,
})

export type Decision = { userId: string; approval: 'approved' | 'rejected' }

type Decidable = Approval & { id: string; status: string; createdBy: string | null; updatedAt: Date }

const refusals = {
  payout: {
    notNeeded: 'This payout does not need approval.',
    byCreator: 'A payout must be approved or rejected by a user other than its creator.',
  },
  payout_batch: {
    notNeeded: 'This batch does not need approval.',
    byCreator: 'A batch must be approved or rejected by a user other than its creator.',
  },
  refund: {
    notNeeded: 'This refund does not need approval.',
    byCreator: 'A refund must be approved or rejected by a user other than its creator.',
  },
}

/**
 * Returns a locked object with a user's decision, which the caller must write and carry out. Returns `undefined`
 * if the same user has already made the same decision.
 *
 * @throws Refusal `access_denied` if the user created the object; `state_conflict` if the object does not need
 * approval or no longer waits for it
 */
export async function decide<Row extends Scoped<Decidable>>(
  tx: Tx,
  type: keyof typeof refusals,
  table: Sql,
  row: Row,
  { userId, approval }: Decision,
  at: Date,
): Promise<Row | undefined> {
  const { notNeeded, byCreator } = refusals[type]
  if (row.approval === null) throw new Refusal('state_conflict', { message: notNeeded })
  if (row.createdBy === userId) throw new Refusal('access_denied', { message: byCreator })
  if (row.approval === approval && row.approvalUserId === userId) return undefined
  if (row.approval !== 'required' || row.status !== 'pending') throw new Refusal('state_conflict')
  await markChanging(tx, type, table, [row])
  return { ...row, approval, approvalUserId: userId, approvalAt: at, updatedAt: at }
}

/** Returns the approval as shown in the API; null if none is needed. */
export const presentApproval = ({ approval, approvalUserId, approvalAt }: Approval) =>
  approval && {
    status: approval,
    userId: approvalUserId && showId(userIds, approvalUserId),
    time: approvalAt?.toISOString() ?? null,
  }
