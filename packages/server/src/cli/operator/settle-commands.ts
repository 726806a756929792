import { type Command, InvalidArgumentError, Option } from 'commander'
import type { InstallationSpacesBookSettlementBody, Settlement } from '../../../../sdk/src/index.ts'
import { settlementIds } from '../../finance/settlements/resources.ts'
import type { Environment } from '../../platform/scope.ts'
import { hiddenCharactersError, hidesCharacters, isVisible } from '../../platform/text-rules.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { commandGroup, dayArgument, environmentOption, moneyArgument, shownId } from '../command.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa settle`, for money that moves between providers and a bank. */
export function addSettleCommands(program: Command): void {
  const add = commandGroup(program, 'settle', 'settlements between providers and bank accounts')
  const ofSpace = (name: string, about: string) =>
    add(name, about)
      .requiredOption('--space <id>', 'spc-…', shownId(spaceIds))
      .addOption(environmentOption().makeOptionMandatory())
  operating(
    ofSpace('book', 'record money that a provider paid to a bank account or received from one')
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
      .requiredOption('--amount <amount>', 'SLE:150000, in minor units', moneyArgument('SLE:150000'))
      .requiredOption('--bank-reference <text>', 'reference on the bank statement', textArgument(100))
      .requiredOption('--value-date <day>', 'the bank’s value date, such as 2026-11-20', dayArgument)
      .option('--advance', 'allow an amount that is greater than what the provider owes')
      .requiredOption('--by <who>', 'name of the person recording the settlement')
      .option('--note <text>', 'note, for the record', textArgument(500)),
    async (api, { space, provider: providerId, advance: isAdvance = false, ...options }: BookOptions) => {
      const { environment, kind, direction, amount, bankReference, valueDate, note } = options
      return withoutSpace(
        await api.installation.spaces.bookSettlement(space, {
          ...{ environment, kind, providerId, amount, bankReference, valueDate, isAdvance },
          ...(direction && { direction }),
          ...(note && { note }),
        }),
      )
    },
  )
  operating(
    withDecider(
      add('reverse', 'reverse a settlement that was booked by mistake').argument(
        '<id>',
        'stl-…',
        shownId(settlementIds),
      ),
    ),
    async (api, id: string, { reason }: Decider) =>
      withoutSpace(await api.installation.settlements.reverse(id, { reason })),
  )
  operating(
    ofSpace('list', 'list the settlements of a Space, newest first').option(
      '--bank-reference <text>',
      'only settlements with this bank reference',
    ),
    async (api, { space, environment, bankReference }: ListOptions) => {
      const filter = { environment, ...(bankReference !== undefined && { bankReference }) }
      const { settlements } = await api.installation.spaces.settlements(space, filter)
      return { settlements: settlements.map(withoutSpace) }
    },
    {
      columns: 'id status amount kind providerId direction valueDate bankReference createTime',
      empty: 'No settlements.',
    },
  )
  operating(
    add(
      'owed',
      'list what each provider owes each Space, in minor units; a negative amount is owed to the provider',
    ),
    (api) => api.installation.owed.retrieve(),
    { columns: 'providerId environment direction amount spaceId', empty: 'Providers owe nothing.' },
  )
}

type BookOptions = Omit<InstallationSpacesBookSettlementBody, 'providerId' | 'isAdvance'> & {
  space: string
  provider: string
  advance?: boolean
}
type ListOptions = { space: string; environment: Environment; bankReference?: string }

/** Leaves out the Space, which the operator has just entered. */
const withoutSpace = ({ ownershipGraph: _, ...settlement }: Settlement) => settlement

const textArgument = (maxLength: number) => (text: string) => {
  const trimmed = text.trim()
  if (!isVisible(trimmed) || trimmed.length > maxLength)
    throw new InvalidArgumentError(`must be 1 to ${maxLength} characters.`)
  if (hidesCharacters(trimmed)) throw new InvalidArgumentError(`${hiddenCharactersError}.`)
  return trimmed
}
