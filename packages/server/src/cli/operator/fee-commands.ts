import { type Command, Option } from 'commander'
import { type FeeCode, feeCodes } from '../../money/fees/codes.ts'
import { spaceArgument } from '../command.ts'
import { operating } from './operator-command.ts'

/** Adds `pesewa fees`, for the fees that Spaces pay. */
export function addFeeCommands(program: Command): void {
  const commands = program
    .command('fees')
    .description('fees that Spaces pay for payments, payouts and refunds')
  const code = () =>
    new Option('--code <what>', 'kind of transaction that the fee applies to')
      .choices(feeCodes)
      .makeOptionMandatory()
  operating(
    commands.command('list').description('list the Spaces with custom fees'),
    (api) => api.installation.fees.retrieve(),
    {
      list: {
        columns: ['spaceId', 'name', 'code', 'rule'],
        empty:
          'No Space has a custom fee. Standard fees: 1% per payment; payouts and refunds are free. Set a custom fee: pesewa fees set <space> --code payment --rule 1.5%',
      },
    },
  )
  operating(
    commands
      .command('show')
      .description('show the fees of a Space')
      .argument(...spaceArgument),
    (api, id: string) => api.installation.spaces.fees(id),
  )
  operating(
    commands
      .command('set')
      .description('set a custom fee for a Space, from now on and in both environments')
      .argument(...spaceArgument)
      .addOption(code())
      .requiredOption(
        '--rule <rule>',
        'percentage such as 1%, or 0.5%,min=SLE:50 with a minimum fee in minor units',
      ),
    (api, id: string, { code, rule }: { code: FeeCode; rule: string }) =>
      api.installation.spaces.setFees(id, { code, rule, reason: 'pesewa fees set' }),
  )
  operating(
    commands
      .command('remove')
      .description('remove a Space’s custom fee, so that the standard fee applies again')
      .argument(...spaceArgument)
      .addOption(code()),
    (api, id: string, { code }: { code: FeeCode }) =>
      api.installation.spaces.removeFees(id, { code, reason: 'pesewa fees remove' }),
    {
      confirm: (_id, { code: what }) =>
        `Remove the custom fee and charge this Space the standard fee for each ${what}?`,
    },
  )
}
