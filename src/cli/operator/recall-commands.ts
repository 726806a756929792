import { isSupportedCurrency } from '@pesewa/values'
import { type Command, InvalidArgumentError } from 'commander'
import { recallIds } from '../../money/recalls/resources.ts'
import type { Returned } from '../../money/recalls/returning.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { idArgument, printing } from '../command.ts'

// Loaded on demand.
const actions = () => import('./recall-actions.ts')

/** Adds `pesewa recalls`, for merchants' requests to have payouts returned. */
export function addRecallCommands(program: Command): void {
  const commands = program
    .command('recalls')
    .description('merchants’ requests to get payouts back from the provider or payee')
  printing(
    commands
      .command('list')
      .description('list the open recalls of all Spaces, oldest first')
      .option('--all', 'include completed recalls'),
    async (options: { all?: boolean }) => (await actions()).list(options),
    {
      list: {
        columns: [
          'id',
          'status',
          'amount',
          'payee',
          'providerId',
          'createTime',
          'payoutTransaction',
          'payoutId',
          'environment',
          'spaceId',
        ],
        empty: 'No open recalls.',
      },
    },
  )
  printing(
    decided(
      commands
        .command('return')
        .description(
          'record that money was returned, and credit it to the account that paid; each transaction is credited only once',
        )
        .argument('<id>', 'rcl-…', idArgument(recallIds))
        .requiredOption('--transaction <text>', 'id of the provider’s transaction that returned the money')
        .option('--amount <amount>', 'SLE:1500, in minor units (default: the full amount)', amountArgument),
    ),
    async (id: string, options: Decider & Returned) => (await actions()).returned(id, options),
  )
  printing(
    decided(
      commands
        .command('refuse')
        .description('record that the provider or payee will not return the money')
        .argument('<id>', 'rcl-…', idArgument(recallIds)),
    ),
    async (id: string, decider: Decider) => (await actions()).refused(id, decider),
  )
}

const decided = (command: Command) =>
  command
    .requiredOption('--by <who>', 'name of the person making the decision')
    .requiredOption('--reason <text>', 'reason, for the record')

function amountArgument(text: string): Returned['amount'] {
  const [, currency = '', value = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
  if (!isSupportedCurrency(currency))
    throw new InvalidArgumentError('must have the form SLE:1500, in minor units.')
  return { currency, value: BigInt(value) }
}
