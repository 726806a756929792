import type { Command } from 'commander'
import { recallIds } from '../../money/recalls/resources.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { commandGroup, type Money, moneyArgument, shownId } from '../command.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa recalls`, for merchants' requests to have payouts returned. */
export function addRecallCommands(program: Command): void {
  const about = 'merchants’ requests to get payouts back from the provider or payee'
  const add = commandGroup(program, 'recalls', about)
  const ofRecall = (name: string, about: string) =>
    add(name, about).argument('<id>', 'rcl-…', shownId(recallIds))
  operating(
    add('list', 'list the open recalls of all Spaces, oldest first').option(
      '--all',
      'include completed recalls',
    ),
    (api, { all = false }: { all?: boolean }) => api.installation.recalls.retrieve({ all }),
    {
      columns: 'id status amount payee providerId createTime payoutTransaction payoutId environment spaceId',
      empty: 'No open recalls.',
    },
  )
  operating(
    withDecider(
      ofRecall(
        'return',
        'record that money was returned, and credit it to the account that paid; each transaction is credited only once',
      )
        .requiredOption('--transaction <text>', 'id of the provider’s transaction that returned the money')
        .option(
          '--amount <amount>',
          'SLE:1500, in minor units (default: the full amount)',
          moneyArgument('SLE:1500'),
        ),
    ),
    (api, id: string, { transaction, amount, reason }: Decider & { transaction: string; amount?: Money }) =>
      api.installation.recalls.return(id, { transaction, reason, ...(amount && { amount }) }),
  )
  operating(
    withDecider(ofRecall('refuse', 'record that the provider or payee will not return the money')),
    (api, id: string, { reason }: Decider) => api.installation.recalls.refuse(id, { reason }),
  )
}
