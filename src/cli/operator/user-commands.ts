import { type Command, InvalidArgumentError, Option } from 'commander'
import { readId } from '../../platform/ids.ts'
import { roleNames } from '../../spaces/permissions.ts'
import { spaceIds, userIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import type { UserWish } from './actions.ts'
import type { Invitee, MemberPlace, MemberWish, PersonName } from './people-actions.ts'

// Loaded when they are run.
const actions = () => import('./actions.ts')
const people = () => import('./people-actions.ts')
const signIn = () => import('./sign-in-action.ts')

/** `pesewa users` and `pesewa members`: people, and what they may do in which Space. */
export function addUserCommands(program: Command): void {
  const commands = program.command('users').description('people and systems that hold tokens')
  printing(
    commands
      .command('add')
      .description('add a user, who is a member of no Space yet')
      .requiredOption('--email <email>', 'whose mailbox it is')
      .option('--operator', 'who runs the installation: may do what belongs to no Space'),
    async (options: UserWish) => (await actions()).addUser(options),
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
      .description('show a user, and the Spaces they are a member of')
      .argument('<user>', 'usr-…, or the email address', personArgument),
    async (person: PersonName) => (await people()).showUser(person),
  )
  printing(
    commands
      .command('set')
      .description('make a user an operator, or end that')
      .argument('<user>', 'usr-…', idArgument(userIds))
      .option('--operator', 'who runs the installation')
      .option('--no-operator', 'not any more, within a second'),
    async (id: string, options: { operator?: boolean }) => (await actions()).setUser(id, options),
  )
  printing(
    commands
      .command('invite')
      .description('mail somebody a link that makes them a member and signs them in; prints it, too')
      .argument('<email>', 'whose mailbox it is', emailArgument)
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
      .addOption(new Option('--role <role>', 'what they are there').choices(roleNames).makeOptionMandatory()),
    async (email: string, options: Invitee) => (await people()).inviteUser(email, options),
  )
  printing(
    commands
      .command('sign-in-link')
      .description('print a link with which somebody signs in to the console, once and within a day')
      .requiredOption('--email <email>', 'of the user'),
    async (options: { email: string }) => (await signIn()).createSignInLink(options),
  )
  printing(
    commands
      .command('remove-app')
      .description(
        'remove the authenticator app of somebody who has lost it: a link alone signs them in again',
      )
      .requiredOption('--email <email>', 'of the user'),
    async (options: { email: string }) => (await signIn()).removeApp(options),
    { confirm: ({ email }) => `Let ${email} sign in by a link alone?` },
  )
  printing(
    commands
      .command('unlink')
      .description('forget who somebody is at the identity provider: it may link them anew')
      .requiredOption('--email <email>', 'of the user'),
    async (options: { email: string }) => (await signIn()).unlinkIdentity(options),
    { confirm: ({ email }) => `Forget who ${email} is at the identity provider?` },
  )
  printing(
    commands
      .command('remove')
      .description(
        'take a user out of every Space, and end their tokens and sessions; the record of what they did stays',
      )
      .argument('<user>', 'usr-…, or the email address', personArgument),
    async (person: PersonName) => (await people()).removeUser(person),
    { confirm: () => 'Take this user out of every Space, and revoke all their tokens?' },
  )
  addMemberCommands(program)
}

function addMemberCommands(program: Command): void {
  const commands = program.command('members').description('who works in a Space, and as what')
  const placed = (command: Command) =>
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
    placed(commands.command('show').description('show a member of a Space')),
    async (place: MemberPlace) => (await people()).showMember(place),
  )
  printing(
    placed(
      commands.command('set').description('make a user a member of a Space, or give a member another role'),
    ).requiredOption('--role <role>', 'owner, admin, developer, finance, support or viewer'),
    async (options: MemberWish) => (await people()).setMember(options),
  )
  printing(
    placed(
      commands
        .command('remove')
        .description('end a membership, and the tokens that are good in this Space alone'),
    ),
    async (place: MemberPlace) => (await people()).removeMember(place),
    { confirm: () => 'End this membership, and the tokens that are good in this Space alone?' },
  )
}

/** A user by id or email address. */
function personArgument(text: string): PersonName {
  const id = readId(userIds, text)
  if (id) return { id }
  if (!text.includes('@'))
    throw new InvalidArgumentError(`"${text}" is not an id like usr-…, nor an address.`)
  return { email: emailArgument(text) }
}

function emailArgument(text: string): string {
  if (text.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(text))
    throw new InvalidArgumentError('must be an email address.')
  return text
}
