import { type Command, InvalidArgumentError, Option } from 'commander'
import { fieldsOf } from '../../platform/fields.ts'
import { readTime } from '../../reconciliation/statement-text.ts'
import { jsonOption } from '../command.ts'
import type { ImportOptions, ReconcileOptions, SimulatedOptions } from './reconcile-actions.ts'

// 1 says that items are open.
const faultCode = 2

// Loaded when they are run: no other command needs the statements, the catalogue and its shapes.
const actions = () => import('./reconcile-actions.ts')

/** `pesewa reconcile` and `pesewa reconcile import`. */
export function addReconcileCommand(program: Command): void {
  const environment = () => new Option('--environment <environment>').choices(['test', 'live'])
  const command = program
    .command('reconcile')
    .description(
      'match the statements of providers with the books: exits with 0 if nothing is open but what no statement covers yet, 1 if anything else is open, 2 if the command failed or the proof does not hold',
    )
    .option('--provider <id>', 'only this one, like m17')
    .addOption(environment())
    .option(...jsonOption)
    .enablePositionalOptions()
    .exitOverride(asFault)
    .action(async (options: ReconcileOptions) => (await actions()).reconcile(options).catch(asFault))
  command
    .command('import')
    .description(
      'import the statement of a provider, all of its lines or none: exits with 0, or 2 if it is refused',
    )
    .requiredOption('--provider <id>', 'like m17')
    .addOption(environment().makeOptionMandatory())
    .requiredOption('--file <path>', 'a CSV file')
    .option('--mapping <path>', 'how to read it, as JSON (the simulator’s statements need none)')
    .option(
      '--from <time>',
      'the start of the time it covers, if that is before its first line',
      timeArgument,
    )
    .option('--until <time>', 'the end of the time it covers, if that is after its last line', timeArgument)
    .option(...jsonOption)
    .exitOverride(asFault)
    .action(async (options: ImportOptions) => (await actions()).importFile(options).catch(asFault))
  command
    .command('simulated')
    .description('print the statement of a simulated provider, to import it')
    .requiredOption('--provider <id>', 'like m17')
    .option('--from <time>', 'from this time on', timeArgument)
    .option('--until <time>', 'up to this time', timeArgument)
    .exitOverride(asFault)
    .action(async (options: SimulatedOptions) => (await actions()).printSimulated(options).catch(asFault))
}

function asFault(error: Error): never {
  const { exitCode = faultCode } = fieldsOf(error)
  throw Object.assign(error, { exitCode: exitCode && faultCode })
}

function timeArgument(text: string): Date {
  try {
    return readTime(text)
  } catch {
    throw new InvalidArgumentError('must be a time like 2026-11-21 or 2026-11-21T02:00:00Z.')
  }
}
