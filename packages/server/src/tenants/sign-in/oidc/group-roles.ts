import type { HomeTx } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Role } from '../../spaces/permissions.ts'
import { setOperator } from '../../spaces/spaces.ts'
import { lockSpace, type Membership, selectRoles } from '../../spaces/store.ts'
import { isLastOwner, putMember, removeMember } from '../../team/members.ts'
import { roleOf } from '../../team/roles.ts'
import type { GroupRoles } from './groups-file.ts'
import { lockGrants, lockOperator, storeGrant } from './store.ts'

const decider = { by: 'single sign-on', reason: 'groups at the identity provider' }

/**
 * Grants the roles that a user's groups give, and revokes those that the groups gave earlier but no longer
 * give. Memberships and operator rights that were set manually are not changed.
 */
export async function applyGroups(tx: HomeTx, log: Log, userId: string, { isOperator, roles }: GroupRoles) {
  const before = await lockGrants(tx, userId)
  await applyOperator(
    tx,
    userId,
    isOperator,
    before.some(({ spaceId }) => spaceId === null),
  )
  const given = new Map(before.map(({ spaceId, role }) => [spaceId, role ?? undefined]))
  const spaceIds = [...new Set([...given.keys(), ...roles.keys()])].filter((id) => id !== null).toSorted()
  const memberships = spaceIds.map((spaceId) => ({ spaceId, userId }))
  const current = new Map((await selectRoles(tx, memberships)).map(({ spaceId, role }) => [spaceId, role]))
  // Spaces are locked in a fixed order to avoid deadlocks. Those in which nothing changes are skipped.
  for (const membership of memberships) {
    const { spaceId } = membership
    const change = { before: given.get(spaceId), now: roles.get(spaceId) }
    if (effectOf(change, current.get(spaceId)) !== 'none') await applyRole(tx, log, membership, change)
  }
}

/** The role in a Space that the user's groups gave before, and the role that they give now. */
type Change = { before: Role | undefined; now: Role | undefined }

/**
 * Returns what to do about a user's current role. `forget` means that the role was changed manually, so the
 * groups no longer control it. A member who was removed manually stays removed while their groups still give
 * them a role.
 */
function effectOf({ before, now }: Change, current: Role | undefined): 'none' | 'set' | 'forget' {
  if (current === before) return current === now ? 'none' : 'set'
  if (before === undefined) return 'none'
  return current || !now ? 'forget' : 'none'
}

async function applyOperator(
  tx: HomeTx,
  userId: string,
  isOperator: boolean,
  wasGiven: boolean,
): Promise<void> {
  if (isOperator === wasGiven) return
  const user = await lockOperator(tx, userId)
  if (isOperator && user.isOperator) return
  if (user.isOperator !== isOperator) await setOperator(tx, userId, isOperator)
  await storeGrant(tx, { userId, spaceId: null }, isOperator ? null : undefined)
}

async function applyRole(tx: HomeTx, log: Log, membership: Membership, change: Change): Promise<void> {
  if (!(await lockSpace(tx, membership.spaceId))) {
    log.warn({ spaceId: membership.spaceId }, 'OIDC_GROUPS_FILE refers to a Space that does not exist')
    return
  }
  const current = await roleOf(tx, membership)
  const effect = effectOf(change, current)
  if (effect === 'none') return
  if (effect === 'forget') return storeGrant(tx, membership, undefined)
  if (current === 'owner' && (await isLastOwner(tx, membership))) {
    log.warn(
      { spaceId: membership.spaceId },
      'kept the last owner of a Space, although no group grants this role any more',
    )
    return
  }
  const { now } = change
  if (now) await putMember(tx, { ...membership, role: now }, decider)
  else await removeMember(tx, membership, decider)
  await storeGrant(tx, membership, now)
}
