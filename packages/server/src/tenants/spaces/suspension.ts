import type { AnyTx, HomeTx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type Decider, readDecider, writeSpaceEntry } from './audit.ts'
import { lockSpace, type Space, type Suspension, updateSuspension } from './store.ts'

/**
 * Suspends a Space: API calls and new payments are refused, while payments in progress complete normally. This
 * takes effect on every node within a second.
 *
 * @throws Refusal `not_found`; `state_conflict` if it is already suspended
 */
export function suspendSpace(tx: HomeTx, id: string, decider: Decider): Promise<Space> {
  const { by: suspendedBy, reason: suspensionReason } = readDecider(decider)
  return setSuspension(tx, id, decider, { suspendedAt: new Date(), suspendedBy, suspensionReason })
}

/**
 * Ends a suspension.
 *
 * @throws Refusal `not_found`; `state_conflict` if it is not suspended
 */
export const resumeSpace = (tx: HomeTx, id: string, decider: Decider): Promise<Space> =>
  setSuspension(tx, id, decider, notSuspended)

async function setSuspension(
  tx: HomeTx,
  id: string,
  decider: Decider,
  suspension: Suspension,
): Promise<Space> {
  const space = await lockSpace(tx, id)
  if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
  const isSuspended = suspension.suspendedAt !== null
  if ((space.suspendedAt !== null) === isSuspended)
    throw new Refusal('state_conflict', {
      message: isSuspended ? 'This Space is already suspended.' : 'This Space is not suspended.',
    })
  await updateSuspension(tx, id, suspension)
  await writeSpaceDecision(tx, id, decider, isSuspended ? 'space.suspend' : 'space.resume', {})
  return { ...space, ...suspension }
}

/** Writes an audit entry about a whole Space, in both environments. */
export async function writeSpaceDecision(
  tx: AnyTx,
  spaceId: string,
  decider: Decider,
  action: string,
  details: object,
): Promise<void> {
  await writeSpaceEntry(tx, spaceId, decider, { action, objectType: 'space', objectId: spaceId, details })
}

const notSuspended = { suspendedAt: null, suspendedBy: null, suspensionReason: null }
