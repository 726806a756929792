import { isSupportedCurrency } from '@pesewa/values'
import { type Command, InvalidArgumentError } from 'commander'
import { recallIds } from '../../money/recalls/resources.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { shownId } from '../command.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa recalls`, for merchants' requests to have payouts returned. */
export function addRecallCommands(program: Command): void {
  const commands = program
    .command('recalls')
    .description('merchants’ requests to get payouts back from the provider or payee')
  operating(
    commands
      .command('list')
      .description('list the open recalls of all Spaces, oldest first')
      .option('--all', 'include completed recalls'),
    (api, { all = false }: { all?: boolean }) => api.installation.recalls.retrieve({ all }),
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
  operating(
    withDecider(
      commands
        .command('return')
        .description(
          'record that money was returned, and credit it to the account that paid; each transaction is credited only once',
        )
        .argument('<id>', 'rcl-…', shownId(recallIds))
        .requiredOption('--transaction <text>', 'id of the provider’s transaction that returned the money')
        .option('--amount <amount>', 'SLE:1500, in minor units (default: the full amount)', amountArgument),
    ),
    (api, id: string, { transaction, amount, reason }: Decider & { transaction: string; amount?: Amount }) =>
      api.installation.recalls.return(id, { transaction, reason, ...(amount && { amount }) }),
  )
  operating(
    withDecider(
      commands
        .command('refuse')
        .description('record that the provider or payee will not return the money')
        .argument('<id>', 'rcl-…', shownId(recallIds)),
    ),
    (api, id: string, { reason }: Decider) => api.installation.recalls.refuse(id, { reason }),
  )
}

type Amount = { currency: string; value: number }

function amountArgument(text: string): Amount {
  const [, currency = '', value = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
  if (!isSupportedCurrency(currency))
    throw new InvalidArgumentError('must have the form SLE:1500, in minor units.')
  return { currency, value: Number(value) }
}
