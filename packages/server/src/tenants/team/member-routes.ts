import Type from 'typebox'
import { list, type Route, read } from '../../platform/http/commands/route.ts'
import { object } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { deciderOf } from '../spaces/deciders.ts'
import type { Role } from '../spaces/permissions.ts'
import { userIds } from '../spaces/resources.ts'
import { type Member, selectMember, selectMembers } from './member-store.ts'
import { changeRole, removeMember } from './members.ts'
import { refusingTestTokens } from './roles.ts'
import { member, role } from './shapes.ts'

const url = '/v1/members'
const writing = { url: `${url}/:id`, idKind: userIds, permission: 'members:write', needsStepUp: true }

export const memberRoutes = ({ home }: Pick<Platform, 'home'>): Route[] => [
  list({
    url,
    summary: 'List the members of the Space',
    permission: 'members:read',
    result: member,
    list: ({ scope: { spaceId } }, page) => selectMembers(home, spaceId, page),
    position: ({ id }) => id,
    present: presentMember,
  }),
  read({
    url: `${url}/:id`,
    idKind: userIds,
    summary: 'Retrieve a member',
    permission: 'members:read',
    result: member,
    read: async ({ scope: { spaceId }, id }) => {
      const row = await selectMember(home, spaceId, id)
      return row && presentMember(row)
    },
  }),
  {
    ...writing,
    kind: 'change',
    isHome: true,
    method: 'PATCH',
    summary: 'Update a member',
    about: 'Changes the role. Takes effect within a second.',
    reasons: ['state_conflict'],
    body: object({ role }),
    example: { role: 'finance' },
    result: member,
    write: refusingTestTokens(async (tx, { scope: { spaceId }, id, body, userId }) => {
      const decider = { ...(await deciderOf(tx, { userId }, 'role changed')), userId }
      // This has the type that this route's schema defines.
      const { role } = body as { role: Role }
      return presentMember(await changeRole(tx, { spaceId, userId: id, role }, decider))
    }),
  },
  {
    ...writing,
    kind: 'change',
    isHome: true,
    method: 'DELETE',
    summary: 'Remove a member',
    about: 'Also revokes the member’s tokens that are valid only in this Space.',
    reasons: ['state_conflict'],
    result: Type.Null(),
    write: refusingTestTokens(async (tx, { scope: { spaceId }, id, userId }) => {
      const decider = { ...(await deciderOf(tx, { userId }, 'removed from the Space')), userId }
      await removeMember(tx, { spaceId, userId: id }, decider)
      return null
    }),
  },
]

export const presentMember = ({ id, email, role, since }: Member) => ({
  id: showId(userIds, id),
  email,
  role,
  createTime: since.toISOString(),
})
