import { isSupportedCurrency, maxAmount } from '@pesewa/values'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isFeeCode } from '../../money/fees/codes.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import type { NewSpaceOptions } from './actions.ts'
import type { NewApproval, NewFee, SpaceOptions } from './space-settings.ts'

// Loaded on demand, because help and refused commands do not need the actions.
const actions = () => import('./actions.ts')

/** Adds `pesewa spaces`, which manages tenants. Spaces cannot be deleted, because their books must be kept. */
export function addSpaceCommands(program: Command): void {
  const commands = program
    .command('spaces')
    .description('tenants, each with its own books, members and settings')
  printing(
    commands
      .command('create')
      .description('create a Space, with a main account in its country’s currency in each environment')
      .requiredOption('--name <name>', 'name shown to payers')
      .option('--country <code>', 'two-letter country code', 'SL'),
    async (options: NewSpaceOptions) => (await actions()).createSpace(options),
  )
  printing(
    commands.command('list').description('list all Spaces'),
    async () => (await actions()).listSpaces(),
    {
      list: {
        columns: ['id', 'name', 'country', 'status', 'createTime'],
        empty: 'No Spaces yet. Create one: pesewa spaces create --name Shop',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show a Space, with its fees, its number of members and anything that needs attention')
      .argument('<space>', 'spc-…', idArgument(spaceIds)),
    async (id: string) => (await actions()).showSpace(id),
  )
  printing(
    decided(commands.command('suspend').description('refuse all of a Space’s API calls and new payments')),
    async (id: string, decider: Decider) => (await actions()).suspendSpace(id, decider),
    { confirm: () => 'Refuse all of this Space’s API calls and new payments from now on?' },
  )
  printing(
    decided(commands.command('resume').description('resume a suspended Space')),
    async (id: string, decider: Decider) => (await actions()).resumeSpace(id, decider),
  )
  printing(
    commands
      .command('set')
      .description('set the fees and approval limits of a Space, in both environments')
      .argument('<space>', 'spc-…', idArgument(spaceIds))
      .option(
        '--fee <rule>',
        'payment=1%, payout=0.5%,min=SLE:50 or refund=0.5%; repeatable',
        collectValues(feeArgument),
      )
      .option(
        '--payout-approval-above <amount>',
        'SLE:100000, in minor units: larger payouts need another user’s approval; SLE:none removes the limit; repeatable',
        collectValues(approvalArgument),
      )
      .option(
        '--refund-approval-above <amount>',
        'the same limit for refunds; repeatable',
        collectValues(approvalArgument),
      )
      .addOption(
        new Option(
          '--refund-when-short <what>',
          'what to do with a refund if its account has insufficient funds',
        ).choices(['refuse', 'queue']),
      )
      .option('--return-payment-fee', 'return a proportional part of the payment’s fee with each refund')
      .option('--no-return-payment-fee', 'keep the payment’s fee when the payment is refunded'),
    async (id: string, options: SpaceOptions) => (await import('./space-settings.ts')).setSpace(id, options),
  )
}

/** Adds the Space argument and the required options `--by` and `--reason`. */
const decided = (command: Command) =>
  command
    .argument('<space>', 'spc-…', idArgument(spaceIds))
    .requiredOption('--by <who>', 'name of the person making the decision')
    .requiredOption('--reason <text>', 'reason, for the record')

/** Returns a parser that collects the values of a repeatable option. */
const collectValues =
  <T>(parse: (text: string) => T) =>
  (text: string, before: T[] = []): T[] => [...before, parse(text)]

function approvalArgument(text: string): NewApproval {
  const [, currency = '', amount = ''] = /^([A-Z]{3}):(none|\d{1,16})$/.exec(text) ?? []
  const above = amount === 'none' ? null : BigInt(amount)
  if (!isSupportedCurrency(currency) || (above ?? 0n) > BigInt(maxAmount))
    throw new InvalidArgumentError('must have the form SLE:100000, in minor units, or SLE:none.')
  return { currency, above }
}

function feeArgument(text: string): NewFee {
  const [code = '', rule] = text.split(/=(.*)/s, 2)
  if (!isFeeCode(code) || !rule)
    throw new InvalidArgumentError('must have the form payment=1% or payout=0.5%.')
  return { code, rule }
}
