import { type Command, Option } from 'commander'
import { type FeeCode, feeCodes } from '../../money/fees/codes.ts'
import { commandGroup, spaceArgument } from '../command.ts'
import { operating } from './operator-command.ts'

/** Adds `pesewa fees`, for the fees that Spaces pay. */
export function addFeeCommands(program: Command): void {
  const add = commandGroup(program, 'fees', 'fees that Spaces pay for payments, payouts and refunds')
  const ofSpace = (name: string, about: string) => add(name, about).argument(...spaceArgument)
  const code = () =>
    new Option('--code <what>', 'kind of transaction that the fee applies to')
      .choices(feeCodes)
      .makeOptionMandatory()
  operating(add('list', 'list the Spaces with custom fees'), (api) => api.installation.fees.retrieve(), {
    columns: 'spaceId name code rule',
    empty:
      'No Space has a custom fee. Standard fees: 1% per payment; payouts and refunds are free. Set a custom fee: pesewa fees set <space> --code payment --rule 1.5%',
  })
  operating(ofSpace('show', 'show the fees of a Space'), (api, id: string) =>
    api.installation.spaces.fees(id),
  )
  operating(
    ofSpace('set', 'set a custom fee for a Space, from now on and in both environments')
      .addOption(code())
      .requiredOption(
        '--rule <rule>',
        'percentage such as 1%, or 0.5%,min=SLE:50 with a minimum fee in minor units',
      ),
    (api, id: string, { code, rule }: { code: FeeCode; rule: string }) =>
      api.installation.spaces.setFees(id, { code, rule, reason: 'pesewa fees set' }),
  )
  operating(
    ofSpace('remove', 'remove a Space’s custom fee, so that the standard fee applies again').addOption(
      code(),
    ),
    (api, id: string, { code }: { code: FeeCode }) =>
      api.installation.spaces.removeFees(id, { code, reason: 'pesewa fees remove' }),
    {
      confirm: (_id, { code: what }) =>
        `Remove the custom fee and charge this Space the standard fee for each ${what}?`,
    },
  )
}
