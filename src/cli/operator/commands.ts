import { type Command, InvalidArgumentError, Option } from 'commander'
import { isSupportedCurrency, maxAmount } from '../../countries/money.ts'
import { isFeeCode } from '../../payments/fee-rules.ts'
import { durationMs, parseDuration } from '../../platform/duration.ts'
import type { IdKind } from '../../platform/ids.ts'
import { spaceIds, tokenIds, userIds } from '../../spaces/resources.ts'
import { idArgument } from '../arguments.ts'
import { type Json, jsonOption, print } from '../output.ts'
import * as actions from './actions.ts'
import { addCaseCommands } from './case-commands.ts'
import { addReconcileCommand } from './reconcile-command.ts'
import { addResolvingCommands } from './resolving-commands.ts'
import { sinceArgument, verify } from './verify-command.ts'

/** The operator's commands. They work beside the running program and without it. */
export function addAdminCommands(program: Command): void {
  const group = (name: string, description: string) => program.command(name).description(description)
  const json = jsonOption

  const spaceCommands = group('spaces', 'tenants')
  spaceCommands
    .command('create')
    .requiredOption('--name <name>')
    .option('--country <code>', 'two letters', 'SL')
    .option(...json)
    .action((options: { name: string; country: string } & Json) =>
      print(options, () => actions.createSpace(options)),
    )
  spaceCommands
    .command('list')
    .option(...json)
    .action((options: Json) => print(options, actions.listSpaces))
  spaceCommands
    .command('set')
    .argument('<id>', 'spc-…', idArgument(spaceIds))
    .option('--fee <rule>', 'payment=1% or payout=0.5%,min=SLE:50; repeatable', eachOf(feeArgument))
    .option(
      '--payout-approval-above <amount>',
      'SLE:100000, in minor units: above it another user has to approve a payout; SLE:none ends that; repeatable',
      eachOf(approvalArgument),
    )
    .option(...json)
    .action((id: string, options: actions.SpaceOptions & Json) =>
      print(options, () => actions.setSpace(id, options)),
    )

  group('users', 'who holds tokens')
    .command('add')
    .requiredOption('--email <email>')
    .option(...json)
    .action((options: { email: string } & Json) => print(options, () => actions.addUser(options.email)))

  group('members', 'what a user may do in a Space')
    .command('set')
    .requiredOption('--space <id>', 'spc-…', idArgument(spaceIds))
    .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
    .requiredOption('--role <role>', 'owner, admin, developer, finance or viewer')
    .option(...json)
    .action((options: actions.MemberOptions & Json) => print(options, () => actions.setMember(options)))

  const tokenCommands = group('tokens', 'access tokens')
  tokenCommands
    .command('create')
    .requiredOption('--user <id>', 'usr-…', idArgument(userIds))
    .requiredOption('--environment <environment>', 'test or live')
    .requiredOption('--name <name>')
    .option('--scopes <scopes>', 'separated by commas; * is all', listArgument, ['*'])
    .addOption(
      new Option('--expires <duration>', 'how long it works: 30d, 12h, or never')
        .argParser(lifeArgument)
        .default(defaultTokenLife, defaultTokenLife.text),
    )
    .option('--spaces <ids>', 'only these Spaces', idListArgument(spaceIds))
    .option('--ips <networks>', 'only these networks, like 10.0.0.0/8', listArgument)
    .option(...json)
    .action((options: actions.TokenOptions & Json) => print(options, () => actions.createToken(options)))
  tokenCommands
    .command('list')
    .option(...json)
    .action((options: Json) => print(options, actions.listTokens))
  tokenCommands
    .command('revoke')
    .argument('<id>', 'tok-…', idArgument(tokenIds))
    .option(...json)
    .action((id: string, options: Json) => print(options, () => actions.revokeToken(id)))

  addCaseCommands(program)
  addResolvingCommands(program)

  program
    .command('verify')
    .description('prove the books: exits with 1 and names the differences if they do not add up')
    .option('--since <when>', 'only what is new since: 24h, or 2026-11-21T02:00:00Z', sinceArgument)
    .option(...json)
    .action(verify)
  addReconcileCommand(program, json)
}

const listArgument = (text: string) => text.split(',').map((entry) => entry.trim())
const idListArgument = (kind: IdKind) => (text: string) => listArgument(text).map(idArgument(kind))

const maxTokenLifeMs = durationMs('3650d')

function lifeArgument(text: string): actions.TokenLife {
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

function approvalArgument(text: string): actions.NewApproval {
  const [, currency = '', amount = ''] = /^([A-Z]{3}):(none|\d{1,16})$/.exec(text) ?? []
  const above = amount === 'none' ? null : BigInt(amount)
  if (!isSupportedCurrency(currency) || (above ?? 0n) > BigInt(maxAmount))
    throw new InvalidArgumentError('must be like SLE:100000, in minor units, or SLE:none.')
  return { currency, above }
}

function feeArgument(text: string): actions.NewFee {
  const [code = '', rule] = text.split(/=(.*)/s, 2)
  if (!isFeeCode(code) || !rule) throw new InvalidArgumentError('must be like payment=1% or payout=0.5%.')
  return { code, rule }
}
