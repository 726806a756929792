import { type Command, Option } from 'commander'
import type { InstructionKind, Resolution } from '../../instructions/resolving.ts'
import { resourceOf } from '../../platform/resources.ts'
import type { Decider } from '../../spaces/audit.ts'
import { idArgument } from '../arguments.ts'
import { type Json, jsonOption, print } from '../output.ts'

// Loaded when they are run: no other command needs the rails and their catalogue.
const actions = () => import('./resolving-actions.ts')

/** `pesewa payments` and `pesewa payouts`: those of which no rail says what became of them. */
export function addResolvingCommands(program: Command): void {
  addCommands(program, 'collect', 'payment')
  addCommands(program, 'disburse', 'payout')
}

function addCommands(program: Command, kind: InstructionKind, noun: string): void {
  const { ids } = resourceOf(noun)
  const commands = program.command(`${noun}s`).description(`${noun}s whose end is not known`)
  commands
    .command('list')
    .requiredOption('--unknown', 'those that were sent and have no end yet, of every Space')
    .option(...jsonOption)
    .action((options: Json) => print(options, async () => (await actions()).listUnknown(kind, noun)))
  commands
    .command('resolve')
    .argument('<id>', `${ids.prefix}-…`, idArgument(ids))
    .addOption(
      new Option('--as <end>', 'what became of the money, as the provider’s people or statement say')
        .choices(['completed', 'failed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for those who ask later')
    .option(...jsonOption)
    .action((id: string, options: Decider & { as: Resolution } & Json) =>
      print(options, async () => (await actions()).resolve(kind, noun, id, options)),
    )
}
