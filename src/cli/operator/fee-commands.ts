import { type Command, Option } from 'commander'
import { type FeeCode, feeCodes } from '../../payments/fee-codes.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'

// Loaded when they are run.
const actions = () => import('./fee-actions.ts')

/** `pesewa fees`: what Spaces pay. */
export function addFeeCommands(program: Command): void {
  const commands = program.command('fees').description('what Spaces pay for payments, payouts and refunds')
  const code = () =>
    new Option('--code <what>', 'what it is charged for').choices(feeCodes).makeOptionMandatory()
  printing(
    commands.command('list').description('list the rules of Spaces that have some of their own'),
    async () => (await actions()).list(),
    {
      list: {
        columns: ['spaceId', 'name', 'code', 'rule'],
        empty:
          'No Space has a rule of its own: a payment costs 1 %, a payout and a refund nothing. Set one: pesewa fees set <space> --code payment --rule 1.5%',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show what a Space pays')
      .argument('<space>', 'spc-…', idArgument(spaceIds)),
    async (id: string) => (await actions()).show(id),
  )
  printing(
    commands
      .command('set')
      .description('set what a Space pays from now on, in both environments')
      .argument('<space>', 'spc-…', idArgument(spaceIds))
      .addOption(code())
      .requiredOption(
        '--rule <rule>',
        '1%, or 0.5%,min=SLE:50 with the least that is charged, in minor units',
      ),
    async (id: string, options: { code: FeeCode; rule: string }) => (await actions()).set(id, options),
  )
  printing(
    commands
      .command('remove')
      .description('remove a rule of a Space’s own: it pays what is standard again')
      .argument('<space>', 'spc-…', idArgument(spaceIds))
      .addOption(code()),
    async (id: string, options: { code: FeeCode }) => (await actions()).remove(id, options),
    { confirm: (_id, { code: what }) => `Charge the standard fee for each ${what} of this Space again?` },
  )
}
