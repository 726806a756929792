import { type Command, Option } from 'commander'
import { resourceOf } from '../../platform/resources.ts'
import { type OwnerType, ownerTypes } from '../../rails/instructions/owner-types.ts'
import type { Resolution } from '../../rails/instructions/resolving.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { commandGroup, shownId } from '../command.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa payments`, `pesewa payouts` and `pesewa refunds`, for objects without a reported outcome. */
export function addResolvingCommands(program: Command): void {
  for (const ownerType of ownerTypes) addCommands(program, ownerType)
}

function addCommands(program: Command, ownerType: OwnerType): void {
  const { ids } = resourceOf(ownerType)
  const add = commandGroup(program, `${ownerType}s`, `${ownerType}s with unknown outcomes`)
  operating(
    add('list', `list the ${ownerType}s without an outcome, oldest first`).requiredOption(
      '--unknown',
      `only ${ownerType}s that were sent and have no outcome yet, in all Spaces`,
    ),
    async (api) => {
      const { items } = await api.installation.unknownOutcomes.retrieve({ type: ownerType })
      return { [`${ownerType}s`]: items }
    },
    {
      columns: 'id amount providerId sentTime resolvableFrom lastKnown railReference environment spaceId',
      empty: `No ${ownerType}s without an outcome.`,
    },
  )
  operating(
    withDecider(
      add('resolve', `record the outcome of a ${ownerType} after checking with the provider`)
        .argument('<id>', `${ids.prefix}-…`, shownId(ids))
        .addOption(
          new Option('--as <end>', 'outcome according to the provider’s staff or statement')
            .choices(['completed', 'failed'])
            .makeOptionMandatory(),
        ),
    ),
    (api, id: string, { as, reason }: Decider & { as: Resolution }) =>
      api.installation.unknownOutcomes.resolve({ id, as, reason }),
  )
}
