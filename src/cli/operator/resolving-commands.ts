import { type Command, Option } from 'commander'
import { type OwnerType, ownerTypes } from '../../instructions/owner-types.ts'
import type { Resolution } from '../../instructions/resolving.ts'
import { resourceOf } from '../../platform/resources.ts'
import type { Decider } from '../../spaces/audit.ts'
import { idArgument, printing } from '../command.ts'

// Loaded when they are run: no other command needs the rails and their catalogue.
const actions = () => import('./resolving-actions.ts')

/** `pesewa payments`, `payouts` and `refunds`: those whose outcome no rail reports. */
export function addResolvingCommands(program: Command): void {
  for (const ownerType of ownerTypes) addCommands(program, ownerType)
}

function addCommands(program: Command, ownerType: OwnerType): void {
  const { ids } = resourceOf(ownerType)
  const commands = program.command(`${ownerType}s`).description(`${ownerType}s whose outcome is unknown`)
  printing(
    commands
      .command('list')
      .description(`list the ${ownerType}s without an outcome, the oldest first`)
      .requiredOption('--unknown', 'those that were sent and have no outcome yet, of every Space'),
    async () => (await actions()).listUnknown(ownerType),
    {
      list: {
        columns: [
          'id',
          'amount',
          'providerId',
          'sentTime',
          'resolvableFrom',
          'lastKnown',
          'railReference',
          'environment',
          'spaceId',
        ],
        empty: `No ${ownerType}s wait for an outcome.`,
      },
    },
  )
  printing(
    commands
      .command('resolve')
      .description(`end a ${ownerType} whose outcome somebody has found out`)
      .argument('<id>', `${ids.prefix}-…`, idArgument(ids))
      .addOption(
        new Option('--as <end>', 'the outcome, according to the provider’s staff or its statement')
          .choices(['completed', 'failed'])
          .makeOptionMandatory(),
      )
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record'),
    async (id: string, options: Decider & { as: Resolution }) =>
      (await actions()).resolve(ownerType, id, options),
  )
}
