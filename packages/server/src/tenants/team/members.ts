import { must } from '@pesewa/values'
import type { HomeTx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type Decider, writeSpaceEntry } from '../spaces/audit.ts'
import type { Role } from '../spaces/permissions.ts'
import { endAccess, endMembership, setMember } from '../spaces/spaces.ts'
import { lockSpace, type Membership, type User } from '../spaces/store.ts'
import { countOtherOwners, type Member, selectMember, selectMemberships } from './member-store.ts'
import { checkCanManageRoles, roleOf } from './roles.ts'

/** A person who changes the members of a Space. `userId` is undefined for an operator who uses a command. */
export type TeamDecider = Decider & { userId?: string }

/**
 * Adds a member or changes a member's role. This takes effect on every node within a second.
 *
 * @throws Refusal `arguments_invalid`; `access_denied` if the decider's role is too low; `state_conflict` if no
 * owner would be left
 */
export async function putMember(
  tx: HomeTx,
  membership: Membership & { role: Role },
  decider: TeamDecider,
): Promise<Member> {
  const { spaceId, userId, role } = membership
  await lockSpace(tx, spaceId)
  const before = await roleOf(tx, membership)
  await checkCanManageRoles(tx, spaceId, decider.userId, [before, role])
  // An operator can remove the last owner with a command, because a command can also appoint a new owner.
  if (before === 'owner' && role !== 'owner' && decider.userId !== undefined)
    await checkOwnerRemains(tx, membership)
  await setMember(tx, membership)
  const member = must(await selectMember(tx, spaceId, userId), 'member that was written')
  const details = { email: member.email, before: before ?? null, role }
  if (before !== role) await note(tx, membership, decider, before ? 'member.change' : 'member.add', details)
  return member
}

/**
 * Changes the role of an existing member; see `putMember`.
 *
 * @throws Refusal `not_found` if there is no such member
 */
export async function changeRole(
  tx: HomeTx,
  membership: Membership & { role: Role },
  decider: TeamDecider,
): Promise<Member> {
  await lockSpace(tx, membership.spaceId)
  if (!(await roleOf(tx, membership))) throw noMember()
  return putMember(tx, membership, decider)
}

/**
 * Removes a member and revokes the member's tokens that are valid only in this Space, so that the tokens do not
 * work again if the member returns.
 *
 * @throws Refusal `not_found`; `access_denied` and `state_conflict` as for `putMember`
 */
export async function removeMember(tx: HomeTx, membership: Membership, decider: TeamDecider): Promise<void> {
  const { spaceId, userId } = membership
  await lockSpace(tx, spaceId)
  const member = await selectMember(tx, spaceId, userId)
  if (!member) throw noMember()
  await checkCanManageRoles(tx, spaceId, decider.userId, [member.role])
  if (member.role === 'owner') await checkOwnerRemains(tx, membership)
  await endMembership(tx, membership)
  await note(tx, membership, decider, 'member.remove', { email: member.email, role: member.role })
}

/**
 * Removes a user from every Space and revokes all their access. The user's row is kept, because audit entries
 * refer to it. This may leave a Space without an owner, in which case an operator can appoint a new one.
 */
export async function removeUser(tx: HomeTx, userId: string, decider: Decider) {
  const memberships = await selectMemberships(tx, userId)
  for (const { spaceId } of memberships) {
    await lockSpace(tx, spaceId)
    const member = await selectMember(tx, spaceId, userId)
    if (!member) continue
    await endMembership(tx, { spaceId, userId })
    await note(tx, { spaceId, userId }, decider, 'member.remove', { email: member.email, role: member.role })
  }
  return { memberships: memberships.length, ...(await endAccess(tx, userId)) }
}

/** Writes an audit entry in each Space of a user when an operator changes how the user signs in. */
export async function noteSignInChange(
  tx: HomeTx,
  { id, email }: Pick<User, 'id' | 'email'>,
  decider: Decider,
  action: 'member.remove_app' | 'member.unlink',
): Promise<void> {
  for (const membership of await selectMemberships(tx, id))
    await note(tx, membership, decider, action, { email })
}

/**
 * Returns whether the Space would have no owner without this member. The Space must be locked, so that two
 * owners cannot leave at the same time.
 */
export const isLastOwner = async (tx: HomeTx, { spaceId, userId }: Membership): Promise<boolean> =>
  (await countOtherOwners(tx, spaceId, userId)) === 0

async function checkOwnerRemains(tx: HomeTx, membership: Membership): Promise<void> {
  if (await isLastOwner(tx, membership))
    throw new Refusal('state_conflict', {
      message: 'This is the last owner of the Space. Make another member an owner first.',
    })
}

const note = (
  tx: HomeTx,
  { spaceId, userId }: Membership,
  decider: Decider,
  action: string,
  details: object,
) => writeSpaceEntry(tx, spaceId, decider, { action, objectType: 'user', objectId: userId, details })

const noMember = () => new Refusal('not_found', { message: 'No such member in this Space.' })
