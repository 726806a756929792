import type { Tx } from '../platform/db/database.ts'
import { must } from '../platform/must.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Decider, writeSpaceEntry } from '../spaces/audit.ts'
import type { Role } from '../spaces/permissions.ts'
import {
  endAccess,
  endMembership,
  lockSpace,
  type Membership,
  setMember,
  type User,
} from '../spaces/spaces.ts'
import { countOtherOwners, type Member, selectMember, selectMemberships } from './member-store.ts'
import { checkReach, roleOf } from './roles.ts'

export type { Member } from './member-store.ts'
export {
  selectAllMembers as listMembers,
  selectMember as findMember,
  selectMemberships as listMemberships,
} from './member-store.ts'

/** Who decides about the people of a Space. `userId`: none where it is whoever runs the installation. */
export type TeamDecider = Decider & { userId?: string }

/**
 * Makes somebody a member, or gives a member another role; acts on every node within a second.
 *
 * @throws Refusal `arguments_invalid`; `access_denied` where the decider's own role does not reach; `state_conflict` where no
 * owner would be left
 */
export async function putMember(
  tx: Tx,
  membership: Membership & { role: Role },
  decider: TeamDecider,
): Promise<Member> {
  const { spaceId, userId, role } = membership
  await lockSpace(tx, spaceId)
  const before = await roleOf(tx, membership)
  await checkReach(tx, spaceId, decider.userId, [before, role])
  // Whoever runs the installation can always make another one.
  if (before === 'owner' && role !== 'owner' && decider.userId !== undefined)
    await checkOwnerRemains(tx, membership)
  await setMember(tx, membership)
  const member = must(await selectMember(tx, spaceId, userId), 'member that was written')
  const details = { email: member.email, before: before ?? null, role }
  if (before !== role) await note(tx, membership, decider, before ? 'member.change' : 'member.add', details)
  return member
}

/**
 * The same of who is a member already.
 *
 * @throws Refusal also `not_found`
 */
export async function changeRole(
  tx: Tx,
  membership: Membership & { role: Role },
  decider: TeamDecider,
): Promise<Member> {
  await lockSpace(tx, membership.spaceId)
  if (!(await roleOf(tx, membership))) throw noMember()
  return putMember(tx, membership, decider)
}

/**
 * Ends a membership, and the tokens that are good in this Space alone, so that they do not come back with the person.
 *
 * @throws Refusal `not_found`, `access_denied`, `state_conflict` as above
 */
export async function removeMember(tx: Tx, membership: Membership, decider: TeamDecider): Promise<void> {
  const { spaceId, userId } = membership
  await lockSpace(tx, spaceId)
  const member = await selectMember(tx, spaceId, userId)
  if (!member) throw noMember()
  await checkReach(tx, spaceId, decider.userId, [member.role])
  if (member.role === 'owner') await checkOwnerRemains(tx, membership)
  await endMembership(tx, membership)
  await note(tx, membership, decider, 'member.remove', { email: member.email, role: member.role })
}

/**
 * Takes a person out of every Space, and ends all that they may still do. The user stays on record: what they decided names them.
 * A Space may be left without an owner: whoever runs the installation can always make another one.
 */
export async function removeUser(tx: Tx, userId: string, decider: Decider) {
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

/** Records in each Space of a person that an operator has changed how they sign in. */
export async function noteSignInChange(
  tx: Tx,
  { id, email }: Pick<User, 'id' | 'email'>,
  decider: Decider,
  action: 'member.remove_app' | 'member.unlink',
): Promise<void> {
  for (const membership of await selectMemberships(tx, id))
    await note(tx, membership, decider, action, { email })
}

/** The Space is locked: two owners who leave at once go one after the other. */
export const isLastOwner = async (tx: Tx, { spaceId, userId }: Membership): Promise<boolean> =>
  (await countOtherOwners(tx, spaceId, userId)) === 0

async function checkOwnerRemains(tx: Tx, membership: Membership): Promise<void> {
  if (await isLastOwner(tx, membership))
    throw new Refusal('state_conflict', {
      message: 'This is the last owner of the Space: make somebody else one first.',
    })
}

const note = (tx: Tx, { spaceId, userId }: Membership, decider: Decider, action: string, details: object) =>
  writeSpaceEntry(tx, spaceId, decider, { action, objectType: 'user', objectId: userId, details })

const noMember = () => new Refusal('not_found', { message: 'There is no such member of this Space.' })
