import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { type Call, homeCommand, list, type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  createTime,
  flag,
  idOf,
  listOf,
  object,
  optional,
  optionalText,
  ownId,
  shownText,
  text,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { readId, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal, Refusal } from '../../platform/refusals.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { spaceIds, userIds } from '../spaces/resources.ts'
import { reasonText } from '../spaces/shapes.ts'
import { addUser, isEmail, setOperator } from '../spaces/spaces.ts'
import { selectSpace, selectUser, selectUserPage, type User } from '../spaces/store.ts'
import { presentMember } from './member-routes.ts'
import { selectAllMembers, selectMember, selectMemberships } from './member-store.ts'
import { putMember, removeMember, removeUser } from './members.ts'
import { member, role } from './shapes.ts'

const reading = 'installation:read'
const writing = { permission: 'installation:write', needsStepUp: true }
const users = '/v1/installation/users'

const userFields = {
  id: ownId(userIds),
  email: shownText('Email address of the user.', 'ama@shop.example'),
  isOperator: flag('True if the user can manage the installation.'),
  createTime,
}
const installationUser = object(userFields, { title: 'InstallationUser' })
const knownUser = object(
  {
    ...userFields,
    memberships: listOf('Spaces of the user.', {
      spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
      name: shownText('Name of the Space.', 'Country Cloth Shop'),
      role,
      createTime,
    }),
  },
  { title: 'KnownUser' },
)
const emailText = Type.Refine(
  text(0, 1_000, {
    examples: ['esi@operator.example'],
    description: 'Email address, of at most 254 characters.',
  }),
  isEmail,
  () => 'must be an email address',
)

/** Routes for operators to manage the users of the installation. */
export const userRoutes = ({ home }: Pick<Platform, 'home'>): Route[] => [
  list({
    url: users,
    permission: reading,
    summary: 'List the users of the installation',
    query: object({
      email: optionalText(254, 'Only the user with this email address.'),
    }),
    result: installationUser,
    list: ({ query: { email } }, page) => selectUserPage(home, email, page),
    position: ({ id }) => id,
    present: presentUser,
  }),
  read({
    url: `${users}/:id`,
    idKind: userIds,
    permission: reading,
    summary: 'Retrieve a user and their Spaces',
    result: knownUser,
    read: async ({ id }) => {
      const user = await selectUser(home, id)
      if (!user) throw new Refusal('not_found', { message: 'There is no such user.' })
      return { ...presentUser(user), memberships: await membershipsOf(home, id) }
    },
  }),
  homeCommand({
    ...writing,
    url: users,
    summary: 'Create a user',
    about: 'The user is not yet a member of any Space.',
    reasons: ['reference_in_use'],
    result: installationUser,
    body: object({
      email: emailText,
      isOperator: optional(flag('Set to true to let the user manage the installation.')),
    }),
    example: { email: 'esi@operator.example' },
    write: async (tx, { body: { email, isOperator = false } }) =>
      presentUser(await addUser(tx, email, { isOperator })),
  }),
  homeCommand({
    ...writing,
    url: `${users}/:id/rights`,
    idKind: userIds,
    summary: 'Set the operator rights of a user',
    about: 'Takes effect within a second.',
    reasons: ['state_conflict'],
    result: installationUser,
    body: object({
      isOperator: flag('Whether the user can manage the installation.'),
    }),
    example: { isOperator: false },
    write: async (tx, call) => {
      refuseSelf(call, call.id)
      return presentUser(await setOperator(tx, call.id, call.body.isOperator))
    },
  }),
  homeCommand({
    ...writing,
    url: `${users}/:id/remove`,
    idKind: userIds,
    summary: 'Remove a user',
    about: 'Removes the user from all Spaces, and revokes their tokens and sessions.',
    reasons: ['state_conflict'],
    result: object(
      {
        id: ownId(userIds),
        email: userFields.email,
        memberships: Type.Integer({ description: 'Number of memberships that ended.', examples: [1] }),
        tokens: Type.Integer({ description: 'Number of tokens that were revoked.', examples: [2] }),
        sessions: Type.Integer({ description: 'Number of sessions that ended.', examples: [1] }),
      },
      { title: 'RemovedUser' },
    ),
    body: object({ reason: reasonText }),
    example: { reason: 'Left the company' },
    write: async (tx, call) => {
      const user = await selectUser(tx, call.id)
      if (!user) throw new Refusal('not_found', { message: 'There is no such user.' })
      refuseSelf(call, user.id)
      const ended = await removeUser(tx, user.id, await deciderOf(tx, call, call.body.reason))
      return { id: showId(userIds, user.id), email: user.email, ...ended }
    },
  }),
]

function presentUser({ id, email, isOperator, createdAt }: User) {
  return { id: showId(userIds, id), email, isOperator, createTime: createdAt.toISOString() }
}

const membershipsOf = async (db: Reader, userId: string) =>
  Promise.all(
    (await selectMemberships(db, userId)).map(async ({ spaceId, role, since }) => ({
      spaceId: showId(spaceIds, spaceId),
      name: (await selectSpace(db, spaceId))?.name ?? '',
      role,
      createTime: since.toISOString(),
    })),
  )

const members = '/v1/installation/spaces/:id/members'
const userId = withDescription(idOf(userIds), 'Id of the user.')

/** Routes for operators to manage the members of any Space, for example to appoint a new owner. */
export const operatorMemberRoutes = ({ home }: Pick<Platform, 'home'>): Route[] => [
  read({
    url: members,
    idKind: spaceIds,
    permission: reading,
    summary: 'List the members of a Space',
    about: 'Oldest first.',
    result: object({ members: arrayOf('Members of the Space.', member) }, { title: 'SpaceMembers' }),
    read: async ({ id }) => {
      await checkSpace(home, id)
      return { members: (await selectAllMembers(home, id)).map(presentMember) }
    },
  }),
  homeCommand({
    ...writing,
    url: members,
    idKind: spaceIds,
    summary: 'Set a member of a Space',
    about: 'Adds a member or changes the role. Takes effect within a second.',
    reasons: ['state_conflict'],
    result: member,
    body: object({ userId, role, reason: reasonText }),
    example: { userId: 'usr-01kaj3v5w8e4r9tbn2m6c7d0xz', role: 'owner', reason: 'The owner has left' },
    write: async (tx, call) => {
      await checkSpace(tx, call.id)
      const { role, reason } = call.body
      const membership = { spaceId: call.id, userId: await userIn(tx, call.body.userId), role }
      refuseSelf(call, membership.userId)
      return presentMember(await putMember(tx, membership, await deciderOf(tx, call, reason)))
    },
  }),
  homeCommand({
    ...writing,
    url: `${members}/remove`,
    idKind: spaceIds,
    summary: 'Remove a member of a Space',
    about: 'Also revokes the member’s tokens that are valid only in this Space.',
    reasons: ['state_conflict'],
    result: object(
      {
        spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
        userId: withDescription(idOf(userIds), 'Id of the user.'),
        removed: flag('Always true.'),
      },
      { title: 'RemovedMember' },
    ),
    body: object({ userId, reason: reasonText }),
    example: { userId: 'usr-01kaj3v5w8e4r9tbn2m6c7d0xz', reason: 'Left the company' },
    write: async (tx, call) => {
      const id = readId(userIds, call.body.userId)
      if (!id) throw argumentRefusal('userId', 'does not exist')
      refuseSelf(call, id)
      if (!(await selectMember(tx, call.id, id)))
        throw new Refusal('state_conflict', { message: 'No such member in this Space.' })
      const decider = await deciderOf(tx, call, call.body.reason)
      await removeMember(tx, { spaceId: call.id, userId: id }, decider)
      return { spaceId: showId(spaceIds, call.id), userId: showId(userIds, id), removed: true }
    },
  }),
]

/** Operators cannot give themselves access to a Space. A command has no user, and can do so. */
function refuseSelf({ userId }: Pick<Call, 'userId'>, id: string): void {
  if (userId === id)
    throw new Refusal('state_conflict', {
      message: 'You cannot change your own access. Ask another operator, or use a command.',
    })
}

async function checkSpace(db: Reader, id: string): Promise<void> {
  if (!(await selectSpace(db, id))) throw new Refusal('not_found', { message: 'There is no such Space.' })
}

async function userIn(db: Reader, shown: string): Promise<string> {
  const id = readId(userIds, shown)
  const user = id && (await selectUser(db, id))
  if (!user) throw argumentRefusal('userId', 'does not exist')
  return user.id
}
