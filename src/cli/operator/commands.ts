import { type Command, InvalidArgumentError, Option } from 'commander'
import { isSupportedCurrency, maxAmount } from '../../countries/money.ts'
import { isFeeCode } from '../../payments/fee-rules.ts'
import { durationMs, parseDuration } from '../../platform/duration.ts'
import type { IdKind } from '../../platform/ids.ts'
import type { Decider } from '../../spaces/audit.ts'
import { roleNames } from '../../spaces/permissions.ts'
import { spaceIds, tokenIds, userIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import type { Invitee, MemberWish, SpaceWish, TokenLife, TokenOptions, UserWish } from './actions.ts'
import { addBackupCommands } from './backup-commands.ts'
import { addBillCommands } from './bill-commands.ts'
import { addCaseCommands } from './case-commands.ts'
import { addConnectionCommands } from './connection-commands.ts'
import { addRailTestCommand } from './rail-test-command.ts'
import { addRecallCommands } from './recall-commands.ts'
import { addReconcileCommand } from './reconcile-command.ts'
import { addResolvingCommands } from './resolving-commands.ts'
import { addSettleCommands } from './settle-commands.ts'
import type { NewApproval, NewFee, SpaceOptions } from './space-settings.ts'
import { addVerifyCommand } from './verify-command.ts'

// Loaded when they are run: help, and a command that is refused, need none of what commands do.
const actions = () => import('./actions.ts')

/** The operator's commands. They work beside the running program and without it. */
export function addAdminCommands(program: Command): void {
  const group = (name: string, description: string) => program.command(name).description(description)

  const spaceCommands = group('spaces', 'tenants')
  printing(
    spaceCommands
      .command('create')
      .requiredOption('--name <name>')
      .option('--country <code>', 'two letters', 'SL'),
    async (options: SpaceWish) => (await actions()).createSpace(options),
  )
  printing(spaceCommands.command('list'), async () => (await actions()).listSpaces())
  printing(
    decided(spaceCommands.command('suspend').description('let a Space take no calls and no new payments')),
    async (id: string, decider: Decider) => (await actions()).suspendSpace(id, decider),
  )
  printing(
    decided(spaceCommands.command('resume').description('end that')),
    async (id: string, decider: Decider) => (await actions()).resumeSpace(id, decider),
  )
  printing(
    spaceCommands
      .command('set')
      .argument('<id>', 'spc-…', idArgument(spaceIds))
      .option(
        '--fee <rule>',
        'payment=1%, payout=0.5%,min=SLE:50 or refund=0.5%; repeatable',
        eachOf(feeArgument),
      )
      .option(
        '--payout-approval-above <amount>',
        'SLE:100000, in minor units: payouts above it need the approval of another user; SLE:none removes that; repeatable',
        eachOf(approvalArgument),
      )
      .option('--refund-approval-above <amount>', 'the same of refunds; repeatable', eachOf(approvalArgument))
      .addOption(
        new Option(
          '--refund-when-short <what>',
          'what happens to a refund that its account has too little for',
        ).choices(['refuse', 'queue']),
      )
      .option('--return-payment-fee', 'with a refund the fee of its payment goes back, in proportion')
      .option('--no-return-payment-fee', 'the fee of a payment is kept'),
    async (id: string, options: SpaceOptions) => (await import('./space-settings.ts')).setSpace(id, options),
  )

  const userCommands = group('users', 'people and systems that hold tokens')
  printing(
    userCommands
      .command('add')
      .requiredOption('--email <email>')
      .option('--operator', 'who runs the installation: may do what belongs to no Space'),
    async (options: UserWish) => (await actions()).addUser(options),
  )
  printing(
    userCommands
      .command('set')
      .argument('<id>', 'usr-…', idArgument(userIds))
      .option('--operator', 'who runs the installation')
      .option('--no-operator', 'not any more, within a second'),
    async (id: string, options: { operator?: boolean }) => (await actions()).setUser(id, options),
  )
  printing(
    userCommands
      .command('invite')
      .description('mail somebody a link that makes them a member and signs them in; prints it, too')
      .argument('<email>', 'whose mailbox it is', emailArgument)
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
      .addOption(new Option('--role <role>', 'what they are there').choices(roleNames).makeOptionMandatory()),
    async (email: string, options: Invitee) => (await actions()).inviteUser(email, options),
  )
  printing(
    userCommands
      .command('sign-in-link')
      .description('a link with which somebody signs in to the console, once and within a day')
      .requiredOption('--email <email>'),
    async (options: { email: string }) => (await import('./sign-in-action.ts')).createSignInLink(options),
  )
  printing(
    userCommands
      .command('remove-app')
      .description(
        'remove the authenticator app of somebody who has lost it: a link alone signs them in again',
      )
      .requiredOption('--email <email>'),
    async (options: { email: string }) => (await import('./sign-in-action.ts')).removeApp(options),
  )
  printing(
    userCommands
      .command('unlink')
      .description('forget who somebody is at the identity provider: it may link them anew')
      .requiredOption('--email <email>'),
    async (options: { email: string }) => (await import('./sign-in-action.ts')).unlinkIdentity(options),
  )

  printing(
    group('members', 'what a user may do in a Space')
      .command('set')
      .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
      .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
      .requiredOption('--role <role>', 'owner, admin, developer, finance, support or viewer'),
    async (options: MemberWish) => (await actions()).setMember(options),
  )

  const tokenCommands = group('tokens', 'access tokens')
  printing(
    tokenCommands
      .command('create')
      .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
      .requiredOption('--environment <environment>', 'test or live')
      .requiredOption('--name <name>')
      .option('--scopes <scopes>', 'comma-separated; * for all', listArgument, ['*'])
      .addOption(
        new Option('--expires <duration>', 'how long it is valid: 30d, 12h, or never')
          .argParser(lifeArgument)
          .default(defaultTokenLife, defaultTokenLife.text),
      )
      .option('--spaces <ids>', 'only these Spaces', idListArgument(spaceIds))
      .option('--ips <networks>', 'only these networks, like 10.0.0.0/8', listArgument),
    async (options: TokenOptions) => (await actions()).createToken(options),
  )
  printing(tokenCommands.command('list'), async () => (await actions()).listTokens())
  printing(
    tokenCommands.command('revoke').argument('<id>', 'tok-…', idArgument(tokenIds)),
    async (id: string) => (await actions()).revokeToken(id),
  )

  addBillCommands(program)
  addCaseCommands(program)
  addConnectionCommands(program)
  addRecallCommands(program)
  addResolvingCommands(program)

  addVerifyCommand(program)
  addBackupCommands(program)
  addReconcileCommand(program)
  addSettleCommands(program)
  addRailTestCommand(program)
}

/** A Space, and who decides about it. */
const decided = (command: Command) =>
  command
    .argument('<id>', 'spc-…', idArgument(spaceIds))
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for the record')

function emailArgument(text: string): string {
  if (text.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(text))
    throw new InvalidArgumentError('must be an email address.')
  return text
}

const listArgument = (text: string) => text.split(',').map((entry) => entry.trim())
const idListArgument = (kind: IdKind) => (text: string) => listArgument(text).map(idArgument(kind))

const maxTokenLifeMs = durationMs('3650d') // limit: how long a token works, unless it is for ever

function lifeArgument(text: string): TokenLife {
  const ms = text === 'never' ? null : parseDuration(text)
  if (ms !== null && (!ms || ms > maxTokenLifeMs))
    throw new InvalidArgumentError('must be a duration like 90d, at most 3650d, or never.')
  return { text, ms }
}

const defaultTokenLife = lifeArgument('90d')

/** Of an option that may be given more than once. */
const eachOf =
  <T>(parse: (text: string) => T) =>
  (text: string, before: T[] = []): T[] => [...before, parse(text)]

function approvalArgument(text: string): NewApproval {
  const [, currency = '', amount = ''] = /^([A-Z]{3}):(none|\d{1,16})$/.exec(text) ?? []
  const above = amount === 'none' ? null : BigInt(amount)
  if (!isSupportedCurrency(currency) || (above ?? 0n) > BigInt(maxAmount))
    throw new InvalidArgumentError('must be like SLE:100000, in minor units, or SLE:none.')
  return { currency, above }
}

function feeArgument(text: string): NewFee {
  const [code = '', rule] = text.split(/=(.*)/s, 2)
  if (!isFeeCode(code) || !rule) throw new InvalidArgumentError('must be like payment=1% or payout=0.5%.')
  return { code, rule }
}
