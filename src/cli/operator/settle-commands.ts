import { type Command, InvalidArgumentError, Option } from 'commander'
import { isSupportedCurrency, maxAmount } from '../../countries/money.ts'
import { hiddenFault, hidesCharacters, isVisible } from '../../platform/bounds.ts'
import { settlementIds } from '../../settlements/resources.ts'
import type { Decider } from '../../spaces/audit.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { dayArgument, idArgument, printing } from '../command.ts'
import type { BookOptions, SettlementListOptions } from './settle-actions.ts'

// Loaded when they are run: no other command needs the catalogue.
const actions = () => import('./settle-actions.ts')

/** `pesewa settle`: money between providers and a bank. */
export function addSettleCommands(program: Command): void {
  const commands = program.command('settle').description('money between providers and a bank')
  const environment = () =>
    new Option('--environment <environment>', 'of simulated money, or of real')
      .choices(['test', 'live'])
      .makeOptionMandatory()
  const space = ['--space <id>', 'spc-…', idArgument(spaceIds)] as const
  printing(
    commands
      .command('book')
      .description('book what a provider paid to a bank, or what was paid to it')
      .requiredOption(...space)
      .addOption(environment())
      .addOption(
        new Option('--kind <kind>', 'which way it went')
          .choices(['payout_to_bank', 'float_top_up'])
          .makeOptionMandatory(),
      )
      .requiredOption('--provider <id>', 'like m17')
      .addOption(
        new Option(
          '--direction <direction>',
          'of the clearing account: without it what was collected is paid to the bank, and float for payouts topped up',
        ).choices(['collection', 'disbursement']),
      )
      .requiredOption('--amount <amount>', 'SLE:150000, in minor units', amountArgument)
      .requiredOption('--bank-reference <text>', 'as the bank’s statement has it', textArgument(100))
      .requiredOption('--value-date <day>', 'the day by the bank, like 2026-11-20', dayArgument)
      .option('--advance', 'the provider may have paid more than it owed')
      .requiredOption('--by <who>', 'who books it')
      .option('--note <text>', 'for the record', textArgument(500)),
    async (options: BookOptions) => (await actions()).book(options),
  )
  printing(
    commands
      .command('reverse')
      .description('take back a settlement that was booked by mistake')
      .argument('<id>', 'stl-…', idArgument(settlementIds))
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record'),
    async (id: string, decider: Decider) => (await actions()).reverse(id, decider),
  )
  printing(
    commands
      .command('list')
      .description('the settlements of a Space, the last first')
      .requiredOption(...space)
      .addOption(environment())
      .option('--bank-reference <text>', 'only those of this entry of the bank'),
    async (options: SettlementListOptions) => (await actions()).list(options),
    {
      list: {
        columns: [
          'id',
          'status',
          'amount',
          'kind',
          'providerId',
          'direction',
          'valueDate',
          'bankReference',
          'createTime',
        ],
        empty: 'No settlements are booked there.',
      },
    },
  )
  printing(
    commands
      .command('owed')
      .description('what each provider still owes each Space, in minor units; negative: what is owed to it'),
    async () => (await actions()).owed(),
    {
      list: {
        columns: ['providerId', 'environment', 'direction', 'amount', 'spaceId'],
        empty: 'No provider owes a Space anything.',
      },
    },
  )
}

const textArgument = (maxLength: number) => (text: string) => {
  const trimmed = text.trim()
  if (!isVisible(trimmed) || trimmed.length > maxLength)
    throw new InvalidArgumentError(`must have 1 to ${maxLength} characters.`)
  if (hidesCharacters(trimmed)) throw new InvalidArgumentError(`${hiddenFault}.`)
  return trimmed
}

function amountArgument(text: string): { currency: string; value: number } {
  const [, currency = '', digits = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
  const value = Number(digits)
  if (!isSupportedCurrency(currency) || value < 1 || value > maxAmount)
    throw new InvalidArgumentError('must be like SLE:150000, in minor units.')
  return { currency, value }
}
