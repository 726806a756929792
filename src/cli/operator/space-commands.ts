import { type Command, InvalidArgumentError, Option } from 'commander'
import { isSupportedCurrency, maxAmount } from '../../countries/money.ts'
import { isFeeCode } from '../../payments/fee-codes.ts'
import type { Decider } from '../../spaces/audit.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import type { SpaceWish } from './actions.ts'
import type { NewApproval, NewFee, SpaceOptions } from './space-settings.ts'

// Loaded when they are run: help, and a command that is refused, need none of what commands do.
const actions = () => import('./actions.ts')

/** `pesewa spaces`: tenants. None can be removed: its books stay. */
export function addSpaceCommands(program: Command): void {
  const commands = program
    .command('spaces')
    .description('tenants: each has its own books, people and settings')
  printing(
    commands
      .command('create')
      .description('create a Space, with a main account in its country’s currency in each environment')
      .requiredOption('--name <name>', 'as its payers read it')
      .option('--country <code>', 'two letters', 'SL'),
    async (options: SpaceWish) => (await actions()).createSpace(options),
  )
  printing(
    commands.command('list').description('list all Spaces'),
    async () => (await actions()).listSpaces(),
    {
      list: {
        columns: ['id', 'name', 'country', 'status', 'createTime'],
        empty: 'No Spaces yet. Make one: pesewa spaces create --name Shop',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show a Space: what it pays, how many people it has, and what waits for one of them')
      .argument('<space>', 'spc-…', idArgument(spaceIds)),
    async (id: string) => (await actions()).showSpace(id),
  )
  printing(
    decided(commands.command('suspend').description('let a Space take no calls and no new payments')),
    async (id: string, decider: Decider) => (await actions()).suspendSpace(id, decider),
    { confirm: () => 'Refuse all calls and new payments of this Space, from now on?' },
  )
  printing(
    decided(commands.command('resume').description('end the suspension of a Space')),
    async (id: string, decider: Decider) => (await actions()).resumeSpace(id, decider),
  )
  printing(
    commands
      .command('set')
      .description('set what a Space pays, and when refunds and payouts need approval, in both environments')
      .argument('<space>', 'spc-…', idArgument(spaceIds))
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
}

/** A Space, and who decides about it. */
const decided = (command: Command) =>
  command
    .argument('<space>', 'spc-…', idArgument(spaceIds))
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for the record')

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
