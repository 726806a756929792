import { type Command, InvalidArgumentError, Option } from 'commander'
import { type InstallationUser, NotFoundError, type Pesewa } from '../../../../sdk/src/index.ts'
import { readId } from '../../platform/ids.ts'
import { isRole, roleNames } from '../../tenants/spaces/permissions.ts'
import { spaceIds, userIds } from '../../tenants/spaces/resources.ts'
import { CommandError, commandGroup, idArgument, printing, shownId } from '../command.ts'
import { allOf, operating } from './operator-command.ts'
import type { Invitee } from './recovery-actions.ts'

// Loaded on demand.
const recovery = () => import('./recovery-actions.ts')

/** Adds `pesewa users`, for people and systems that hold tokens. */
export function addUserCommands(program: Command): void {
  const add = commandGroup(program, 'users', 'people and systems that hold tokens')
  const ofPerson = (command: Command) =>
    command.argument('<user>', 'usr-…, or the email address', personArgument)
  const byEmail = (command: Command) => command.requiredOption('--email <email>', 'email address of the user')
  const operatorOption = ['--operator', 'make the user an operator, who can manage the installation'] as const
  operating(
    byEmail(add('add', 'add a user who is not yet a member of any Space')).option(...operatorOption),
    async (api, { email, operator }: { email: string; operator?: boolean }) =>
      brief(await api.installation.users.create({ email, ...(operator && { isOperator: true }) })),
  )
  operating(
    add('list', 'list all users'),
    async (api) => ({ users: (await allOf(api.installation.users)).map(described) }),
    {
      columns: 'id email operator createTime',
      empty: 'No users yet. Add one: pesewa users add --email kadi@shop.example',
    },
  )
  operating(ofPerson(add('show', 'show a user and their Spaces')), async (api, person: PersonName) => {
    const user = await api.installation.users.retrieve(await idOf(api, person))
    return { ...described(user), memberships: user.memberships }
  })
  operating(
    add('set', 'grant or revoke a user’s operator rights')
      .argument('<user>', 'usr-…', shownId(userIds))
      .option(...operatorOption)
      .option('--no-operator', 'revoke operator rights; takes effect within a second'),
    async (api, id: string, { operator }: { operator?: boolean }) => {
      if (operator === undefined) throw new CommandError('Nothing to set: add --operator or --no-operator.')
      return brief(await api.installation.users.setRights(id, { isOperator: operator }))
    },
  )
  printing(
    add('invite', 'email and print an invitation link that makes the person a member and signs them in')
      .argument('<email>', 'email address to invite', emailArgument)
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
      .addOption(new Option('--role <role>', 'role in the Space').choices(roleNames).makeOptionMandatory()),
    async (email: string, options: Invitee) => (await recovery()).inviteUser(email, options),
  )
  printing(
    byEmail(
      add('sign-in-link', 'print a single-use link, valid for a day, that signs a user in to the console'),
    ),
    async (options: { email: string }) => (await recovery()).createSignInLink(options),
  )
  printing(
    byEmail(
      add('remove-app', 'remove a user’s lost authenticator app, so that they can sign in with only a link'),
    ),
    async (options: { email: string }) => (await recovery()).removeApp(options),
    { confirm: ({ email }) => `Let ${email} sign in with only a link?` },
  )
  printing(
    byEmail(
      add('unlink', 'unlink a user from the identity provider, so that the next sign-in links them again'),
    ),
    async (options: { email: string }) => (await recovery()).unlinkIdentity(options),
    { confirm: ({ email }) => `Unlink ${email} from the identity provider?` },
  )
  operating(
    ofPerson(
      add(
        'remove',
        'remove a user from all Spaces, and revoke their tokens and sessions; their audit entries are kept',
      ),
    ),
    async (api, person: PersonName) =>
      api.installation.users.remove(await idOf(api, person), { reason: 'pesewa users remove' }),
    { confirm: () => 'Remove this user from all Spaces and revoke all their tokens?' },
  )
}

/** Adds `pesewa members`, for the roles that users have in Spaces. */
export function addMemberCommands(program: Command): void {
  const add = commandGroup(program, 'members', 'members of a Space and their roles')
  const ofSpace = (name: string, about: string) =>
    add(name, about).requiredOption('--space <id>', 'spc-…', shownId(spaceIds))
  const ofMember = (name: string, about: string) =>
    ofSpace(name, about).requiredOption('--user <id>', 'usr-…', shownId(userIds))
  operating(
    ofSpace('list', 'list the members of a Space'),
    (api, { space }: { space: string }) => api.installation.spaces.members(space),
    {
      columns: 'id email role createTime',
      empty:
        'This Space has no members yet. Invite one: pesewa users invite <email> --space <id> --role owner',
    },
  )
  operating(ofMember('show', 'show a member of a Space'), async (api, { space, user }: MemberRef) => {
    const { members } = await api.installation.spaces.members(space).catch(orNone)
    const member = members.find(({ id }) => id === user)
    if (!member) throw new CommandError('There is no such member of this Space.')
    return member
  })
  const roles = 'owner, admin, developer, finance, support or viewer'
  operating(
    ofMember('set', 'add a member to a Space, or change a member’s role').requiredOption(
      '--role <role>',
      roles,
    ),
    async (api, { space, user, role }: MemberRef & { role: string }) => {
      if (!isRole(role)) throw new CommandError(`role must be ${roles}`)
      const member = { userId: user, role, reason: 'pesewa members set' }
      await api.installation.spaces.setMember(space, member)
      return { spaceId: space, userId: user, role }
    },
    { names: { userId: 'user' } },
  )
  operating(
    ofMember('remove', 'remove a member, and revoke the member’s tokens that are limited to this Space'),
    (api, { space, user }: MemberRef) =>
      api.installation.spaces.removeMember(space, { userId: user, reason: 'pesewa members remove' }),
    { confirm: () => 'Remove this member, and revoke the member’s tokens that are limited to this Space?' },
  )
}

/** A Space that does not exist has no members. */
function orNone(error: unknown): { members: [] } {
  if (error instanceof NotFoundError) return { members: [] }
  throw error
}

type MemberRef = { space: string; user: string }

/** Identifies a user, either by id or by email address. */
type PersonName = { id: string } | { email: string }

async function idOf(api: Pesewa, person: PersonName): Promise<string> {
  if ('id' in person) return person.id
  const [user] = await api.installation.users.list({ email: person.email }).all({ limit: 1 })
  if (!user) throw new CommandError('There is no such user.')
  return user.id
}

const brief = ({ id, email, isOperator: operator }: Omit<InstallationUser, 'createTime'>) => ({
  ...{ id, email, operator },
})
const described = (user: InstallationUser) => ({ ...brief(user), createTime: user.createTime })

/** Parses a user id or email address. */
function personArgument(text: string): PersonName {
  if (readId(userIds, text)) return { id: shownId(userIds)(text) }
  if (!text.includes('@'))
    throw new InvalidArgumentError(`"${text}" is neither a user id (usr-…) nor an email address.`)
  return { email: emailArgument(text) }
}

function emailArgument(text: string): string {
  if (text.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(text))
    throw new InvalidArgumentError('must be an email address.')
  return text
}
