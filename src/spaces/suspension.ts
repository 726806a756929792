import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/refusals.ts'
import { checkDecider, type Decider, writeSpaceEntry } from './audit.ts'
import { lockSpace, type Space, type Suspension, updateSuspension } from './store.ts'

/**
 * Lets a Space take no calls and no new payments, on all nodes within a second. What is under way ends as it would.
 *
 * @throws Refusal `not_found`; `state_conflict` where it is suspended already
 */
export function suspendSpace(tx: Tx, id: string, decider: Decider): Promise<Space> {
  const { by: suspendedBy, reason: suspensionReason } = checkDecider(decider)
  return setSuspension(tx, id, decider, { suspendedAt: new Date(), suspendedBy, suspensionReason })
}

/**
 * Ends that.
 *
 * @throws Refusal `not_found`; `state_conflict` where it is not suspended
 */
export const resumeSpace = (tx: Tx, id: string, decider: Decider): Promise<Space> =>
  setSuspension(tx, id, decider, notSuspended)

async function setSuspension(tx: Tx, id: string, decider: Decider, suspension: Suspension): Promise<Space> {
  const space = await lockSpace(tx, id)
  if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
  const isSuspended = suspension.suspendedAt !== null
  if ((space.suspendedAt !== null) === isSuspended)
    throw new Refusal('state_conflict', {
      message: isSuspended ? 'This Space is suspended already.' : 'This Space is not suspended.',
    })
  await updateSuspension(tx, id, suspension)
  await noteOfSpace(tx, id, decider, isSuspended ? 'space.suspend' : 'space.resume', {})
  return { ...space, ...suspension }
}

/** Records what was decided about a Space as a whole, in both environments. */
export async function noteOfSpace(
  tx: Tx,
  spaceId: string,
  decider: Decider,
  action: string,
  details: object,
): Promise<void> {
  await writeSpaceEntry(tx, spaceId, decider, { action, objectType: 'space', objectId: spaceId, details })
}

const notSuspended = { suspendedAt: null, suspendedBy: null, suspensionReason: null }
