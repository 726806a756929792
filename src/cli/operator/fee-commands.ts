import { type Command, Option } from 'commander'
import { type FeeCode, feeCodes } from '../../money/fees/codes.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { idArgument, printing } from '../command.ts'

// Loaded on demand.
const actions = () => import('./fee-actions.ts')

/** Adds `pesewa fees`, for the fees that Spaces pay. */
export function addFeeCommands(program: Command): void {
  const commands = program
    .command('fees')
    .description('fees that Spaces pay for payments, payouts and refunds')
  const code = () =>
    new Option('--code <what>', 'kind of transaction that the fee applies to')
      .choices(feeCodes)
      .makeOptionMandatory()
  printing(
    commands.command('list').description('list the Spaces with custom fees'),
    async () => (await actions()).list(),
    {
      list: {
        columns: ['spaceId', 'name', 'code', 'rule'],
        empty:
          'No Space has a custom fee. Standard fees: 1% per payment; payouts and refunds are free. Set a custom fee: pesewa fees set <space> --code payment --rule 1.5%',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show the fees of a Space')
      .argument('<space>', 'spc-…', idArgument(spaceIds)),
    async (id: string) => (await actions()).show(id),
  )
  printing(
    commands
      .command('set')
      .description('set a custom fee for a Space, from now on and in both environments')
      .argument('<space>', 'spc-…', idArgument(spaceIds))
      .addOption(code())
      .requiredOption(
        '--rule <rule>',
        'percentage such as 1%, or 0.5%,min=SLE:50 with a minimum fee in minor units',
      ),
    async (id: string, options: { code: FeeCode; rule: string }) => (await actions()).set(id, options),
  )
  printing(
    commands
      .command('remove')
      .description('remove a Space’s custom fee, so that the standard fee applies again')
      .argument('<space>', 'spc-…', idArgument(spaceIds))
      .addOption(code()),
    async (id: string, options: { code: FeeCode }) => (await actions()).remove(id, options),
    {
      confirm: (_id, { code: what }) =>
        `Remove the custom fee and charge this Space the standard fee for each ${what}?`,
    },
  )
}
