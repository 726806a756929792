import type { Reader } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Role } from '../../tenants/spaces/permissions.ts'
import { spaceIds, userIds } from '../../tenants/spaces/resources.ts'
import { selectSpace, selectUser, selectUserByEmail, selectUsers } from '../../tenants/spaces/store.ts'
import { invitationLink, invite } from '../../tenants/team/invitations.ts'
import {
  type Member,
  selectAllMembers,
  selectMember,
  selectMemberships,
} from '../../tenants/team/member-store.ts'
import * as team from '../../tenants/team/members.ts'
import { byCommand, describeUser } from './actions.ts'
import { inTransaction, withDatabase } from './command-database.ts'
import { openRecordingParts } from './recording-parts.ts'

// The actions of `pesewa users` and `pesewa members`.

/** Identifies a user, either by id or by email address. */
export type PersonName = { id: string } | { email: string }

export const listUsers = () =>
  withDatabase(async (db) => ({
    users: (await selectUsers(db)).map((user) => ({ ...describeUser(user), createTime: user.createdAt })),
  }))

export const showUser = (person: PersonName) =>
  withDatabase(async (db) => {
    const user = await find(db, person)
    const memberships = await selectMemberships(db, user.id)
    return {
      ...describeUser(user),
      createTime: user.createdAt,
      memberships: await Promise.all(
        memberships.map(async ({ spaceId, role, since }) => ({
          spaceId: showId(spaceIds, spaceId),
          name: (await selectSpace(db, spaceId))?.name ?? null,
          role,
          createTime: since,
        })),
      ),
    }
  })

export const removeUser = (person: PersonName) =>
  inTransaction(async (tx) => {
    const user = await find(tx, person)
    const ended = await team.removeUser(tx, user.id, byCommand('users remove'))
    return { id: showId(userIds, user.id), email: user.email, ...ended }
  })

async function find(db: Reader, person: PersonName) {
  const user = 'id' in person ? await selectUser(db, person.id) : await selectUserByEmail(db, person.email)
  if (!user) throw new Refusal('not_found', { message: 'There is no such user.' })
  return user
}

export type MemberRef = { space: string; user: string }

export const listMembers = (spaceId: string) =>
  withDatabase(async (db) => {
    if (!(await selectSpace(db, spaceId)))
      throw new Refusal('not_found', { message: 'There is no such Space.' })
    return { members: (await selectAllMembers(db, spaceId)).map(describeMember) }
  })

export const showMember = ({ space, user }: MemberRef) =>
  withDatabase(async (db) => {
    const member = await selectMember(db, space, user)
    if (!member) throw new Refusal('not_found', { message: 'There is no such member of this Space.' })
    return describeMember(member)
  })

export const removeMember = ({ space, user }: MemberRef) =>
  inTransaction(async (tx) => {
    await team.removeMember(tx, { spaceId: space, userId: user }, byCommand('members remove'))
    return { spaceId: showId(spaceIds, space), userId: showId(userIds, user), removed: true }
  })

const describeMember = ({ id, email, role, since }: Member) => ({
  id: showId(userIds, id),
  email,
  role,
  createTime: since,
})

export type SetMemberOptions = { space: string; user: string; role: string }

export const setMember = ({ space, user, role }: SetMemberOptions) =>
  inTransaction(async (tx) => {
    // `putMember` refuses unknown roles.
    await team.putMember(tx, { spaceId: space, userId: user, role: role as Role }, byCommand('members set'))
    return { spaceId: showId(spaceIds, space), userId: showId(userIds, user), role }
  })

export type Invitee = { space: string; role: Role }

/** Emails an invitation link, and also returns it so that the operator can pass it on. */
export const inviteUser = (email: string, { space, role }: Invitee) =>
  inTransaction(async (tx) => {
    const invitation = await invite(tx, { spaceId: space, email, role }, byCommand('users invite'))
    return { link: invitationLink(openRecordingParts(), invitation.id), expireTime: invitation.expiresAt }
  })
