import { isSupportedCurrency, maxAmount } from '@pesewa/values'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { settlementIds } from '../../finance/settlements/resources.ts'
import { hiddenCharactersError, hidesCharacters, isVisible } from '../../platform/text-rules.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { dayArgument, idArgument, printing } from '../command.ts'
import { operating } from './operator-command.ts'
import type { BookOptions, SettlementListOptions } from './settle-actions.ts'

// Loaded on demand, because most commands do not need the catalogue.
const actions = () => import('./settle-actions.ts')

/** Adds `pesewa settle`, for money that moves between providers and a bank. */
export function addSettleCommands(program: Command): void {
  const commands = program.command('settle').description('settlements between providers and bank accounts')
  const environment = () =>
    new Option('--environment <environment>', 'test (simulated money) or live')
      .choices(['test', 'live'])
      .makeOptionMandatory()
  const space = ['--space <id>', 'spc-…', idArgument(spaceIds)] as const
  printing(
    commands
      .command('book')
      .description('record money that a provider paid to a bank account or received from one')
      .requiredOption(...space)
      .addOption(environment())
      .addOption(
        new Option('--kind <kind>', 'direction of the money')
          .choices(['payout_to_bank', 'float_top_up'])
          .makeOptionMandatory(),
      )
      .requiredOption('--provider <id>', 'provider id, such as m17')
      .addOption(
        new Option(
          '--direction <direction>',
          'clearing account (default: collection for payouts to the bank, disbursement for float top-ups)',
        ).choices(['collection', 'disbursement']),
      )
      .requiredOption('--amount <amount>', 'SLE:150000, in minor units', amountArgument)
      .requiredOption('--bank-reference <text>', 'reference on the bank statement', textArgument(100))
      .requiredOption('--value-date <day>', 'the bank’s value date, such as 2026-11-20', dayArgument)
      .option('--advance', 'allow an amount that is greater than what the provider owes')
      .requiredOption('--by <who>', 'name of the person recording the settlement')
      .option('--note <text>', 'note, for the record', textArgument(500)),
    async (options: BookOptions) => (await actions()).book(options),
  )
  printing(
    commands
      .command('reverse')
      .description('reverse a settlement that was booked by mistake')
      .argument('<id>', 'stl-…', idArgument(settlementIds))
      .requiredOption('--by <who>', 'name of the person making the decision')
      .requiredOption('--reason <text>', 'reason, for the record'),
    async (id: string, decider: Decider) => (await actions()).reverse(id, decider),
  )
  printing(
    commands
      .command('list')
      .description('list the settlements of a Space, newest first')
      .requiredOption(...space)
      .addOption(environment())
      .option('--bank-reference <text>', 'only settlements with this bank reference'),
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
        empty: 'No settlements.',
      },
    },
  )
  operating(
    commands
      .command('owed')
      .description(
        'list what each provider owes each Space, in minor units; a negative amount is owed to the provider',
      ),
    (api) => api.installation.owed.retrieve(),
    {
      list: {
        columns: ['providerId', 'environment', 'direction', 'amount', 'spaceId'],
        empty: 'Providers owe nothing.',
      },
    },
  )
}

const textArgument = (maxLength: number) => (text: string) => {
  const trimmed = text.trim()
  if (!isVisible(trimmed) || trimmed.length > maxLength)
    throw new InvalidArgumentError(`must be 1 to ${maxLength} characters.`)
  if (hidesCharacters(trimmed)) throw new InvalidArgumentError(`${hiddenCharactersError}.`)
  return trimmed
}

function amountArgument(text: string): { currency: string; value: number } {
  const [, currency = '', digits = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
  const value = Number(digits)
  if (!isSupportedCurrency(currency) || value < 1 || value > maxAmount)
    throw new InvalidArgumentError('must have the form SLE:150000, in minor units.')
  return { currency, value }
}
