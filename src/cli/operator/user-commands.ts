import { type Command, InvalidArgumentError, Option } from 'commander'
import { readId } from '../../platform/ids.ts'
import { roleNames } from '../../tenants/spaces/permissions.ts'
import { spaceIds, userIds } from '../../tenants/spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import type { NewUserOptions } from './actions.ts'
import type { Invitee, MemberRef, PersonName, SetMemberOptions } from './people-actions.ts'

// Loaded on demand.
const actions = () => import('./actions.ts')
const people = () => import('./people-actions.ts')
const signIn = () => import('./sign-in-action.ts')

/** Adds `pesewa users` and `pesewa members`, for people and their roles in Spaces. */
export function addUserCommands(program: Command): void {
  const commands = program.command('users').description('people and systems that hold tokens')
  printing(
    commands
      .command('add')
      .description('add a user who is not yet a member of any Space')
      .requiredOption('--email <email>', 'email address of the user')
      .option('--operator', 'make the user an operator, who can manage the installation'),
    async (options: NewUserOptions) => (await actions()).addUser(options),
  )
  printing(commands.command('list').description('list all users'), async () => (await people()).listUsers(), {
    list: {
      columns: ['id', 'email', 'operator', 'createTime'],
      empty: 'No users yet. Add one: pesewa users add --email kadi@shop.example',
    },
  })
  printing(
    commands
      .command('show')
      .description('show a user and their Spaces')
      .argument('<user>', 'usr-…, or the email address', personArgument),
    async (person: PersonName) => (await people()).showUser(person),
  )
  printing(
    commands
      .command('set')
      .description('grant or revoke a user’s operator rights')
      .argument('<user>', 'usr-…', idArgument(userIds))
      .option('--operator', 'make the user an operator, who can manage the installation')
      .option('--no-operator', 'revoke operator rights; takes effect within a second'),
    async (id: string, options: { operator?: boolean }) => (await actions()).setUser(id, options),
  )
  printing(
    commands
      .command('invite')
      .description('email and print an invitation link that makes the person a member and signs them in')
      .argument('<email>', 'email address to invite', emailArgument)
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
      .addOption(new Option('--role <role>', 'role in the Space').choices(roleNames).makeOptionMandatory()),
    async (email: string, options: Invitee) => (await people()).inviteUser(email, options),
  )
  printing(
    commands
      .command('sign-in-link')
      .description('print a single-use link, valid for a day, that signs a user in to the console')
      .requiredOption('--email <email>', 'email address of the user'),
    async (options: { email: string }) => (await signIn()).createSignInLink(options),
  )
  printing(
    commands
      .command('remove-app')
      .description('remove a user’s lost authenticator app, so that they can sign in with only a link')
      .requiredOption('--email <email>', 'email address of the user'),
    async (options: { email: string }) => (await signIn()).removeApp(options),
    { confirm: ({ email }) => `Let ${email} sign in with only a link?` },
  )
  printing(
    commands
      .command('unlink')
      .description('unlink a user from the identity provider, so that the next sign-in links them again')
      .requiredOption('--email <email>', 'email address of the user'),
    async (options: { email: string }) => (await signIn()).unlinkIdentity(options),
    { confirm: ({ email }) => `Unlink ${email} from the identity provider?` },
  )
  printing(
    commands
      .command('remove')
      .description(
        'remove a user from all Spaces, and revoke their tokens and sessions; their audit entries are kept',
      )
      .argument('<user>', 'usr-…, or the email address', personArgument),
    async (person: PersonName) => (await people()).removeUser(person),
    { confirm: () => 'Remove this user from all Spaces and revoke all their tokens?' },
  )
  addMemberCommands(program)
}

function addMemberCommands(program: Command): void {
  const commands = program.command('members').description('members of a Space and their roles')
  const withMemberOptions = (command: Command) =>
    command
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
      .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
  printing(
    commands
      .command('list')
      .description('list the members of a Space')
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds)),
    async ({ space }: { space: string }) => (await people()).listMembers(space),
    {
      list: {
        columns: ['id', 'email', 'role', 'createTime'],
        empty:
          'This Space has no members yet. Invite one: pesewa users invite <email> --space <id> --role owner',
      },
    },
  )
  printing(
    withMemberOptions(commands.command('show').description('show a member of a Space')),
    async (place: MemberRef) => (await people()).showMember(place),
  )
  printing(
    withMemberOptions(
      commands.command('set').description('add a member to a Space, or change a member’s role'),
    ).requiredOption('--role <role>', 'owner, admin, developer, finance, support or viewer'),
    async (options: SetMemberOptions) => (await people()).setMember(options),
  )
  printing(
    withMemberOptions(
      commands
        .command('remove')
        .description('remove a member, and revoke the member’s tokens that are limited to this Space'),
    ),
    async (place: MemberRef) => (await people()).removeMember(place),
    { confirm: () => 'Remove this member, and revoke the member’s tokens that are limited to this Space?' },
  )
}

/** Parses a user id or email address. */
function personArgument(text: string): PersonName {
  const id = readId(userIds, text)
  if (id) return { id }
  if (!text.includes('@'))
    throw new InvalidArgumentError(`"${text}" is neither a user id (usr-…) nor an email address.`)
  return { email: emailArgument(text) }
}

function emailArgument(text: string): string {
  if (text.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(text))
    throw new InvalidArgumentError('must be an email address.')
  return text
}
