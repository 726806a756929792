import { type Command, InvalidArgumentError, Option } from 'commander'
import { fieldsOf } from '../../platform/fields.ts'
import type { Environment } from '../../platform/scope.ts'
import { type ItemName, readItem } from '../../reconciliation/item-names.ts'
import { readTime } from '../../reconciliation/statement-text.ts'
import type { Decider } from '../../spaces/audit.ts'
import { dayArgument, jsonOption, printing } from '../command.ts'
import type { ImportOptions, ReconcileOptions, SimulatedOptions } from './reconcile-actions.ts'
import type { FetchOptions } from './statement-actions.ts'

// 1 says that items are open.
const faultCode = 2

// Loaded when they are run: no other command needs the statements, the catalogue and its shapes.
const actions = () => import('./reconcile-actions.ts')

const environmentOption = () =>
  new Option('--environment <environment>', 'of simulated money, or of real').choices(['test', 'live'])

/** `pesewa reconcile` and what stands below it. */
export function addReconcileCommand(program: Command): void {
  const command = program
    .command('reconcile')
    .description(
      'match the statements of providers with the books: exits with 0 if nothing is open but what no statement covers yet, 1 if anything else is open, 2 if the command failed or the proof does not hold',
    )
    .option('--provider <id>', 'only this one, like m17')
    .addOption(environmentOption())
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
    .addOption(environmentOption().makeOptionMandatory())
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
    .command('fetch')
    .description(
      'have the rail of a provider state what moved, and write it to a file for import: exits with 0, or 2 if there is none',
    )
    .requiredOption(
      '--provider <id>',
      'whose rail states on request what moved: pawaPay’s do, and M-Pesa with the pull of transactions',
    )
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('--from <time>', 'from this time on', timeArgument)
    .requiredOption('--until <time>', 'up to this time', timeArgument)
    .requiredOption('--file <path>', 'a file that does not exist yet')
    .option('--connection <name>', 'as in PROVIDERS_FILE, if not the first that reaches it')
    .option('--currency <code>', 'if not the first that it takes')
    .option(...jsonOption)
    .exitOverride(asFault)
    .action(async (options: FetchOptions) =>
      (await import('./statement-actions.ts')).fetchToFile(options).catch(asFault),
    )
  command
    .command('simulated')
    .description('print the statement of a simulated provider, to import it')
    .requiredOption('--provider <id>', 'like m17')
    .option('--from <time>', 'from this time on', timeArgument)
    .option('--until <time>', 'up to this time', timeArgument)
    .exitOverride(asFault)
    .action(async (options: SimulatedOptions) => (await actions()).printSimulated(options).catch(asFault))

  printing(
    command
      .command('close-item')
      .description(
        'close an open item by hand: no money moves, and it is matched no more; exits with 0, or 2 if it is refused',
      )
      .argument(
        '<id>',
        'as reconcile prints it: ftx-…, or m17/live/… with the number of the provider’s line',
        itemArgument,
      )
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record')
      .exitOverride(asFault),
    async (name: ItemName, decider: Decider) => (await actions()).close(name, decider).catch(asFault),
  )
  addDayCommands(command)
}

/** `close-day`, `reopen-day` and `days`: what a person signs of a provider's day. */
function addDayCommands(command: Command): void {
  const ofDay = (verb: string, says: string) =>
    command
      .command(verb)
      .description(`${says}; exits with 0, or 2 if it is refused`)
      .argument('<provider>', 'like m17')
      .argument('<day>', 'like 2026-11-20, as it is in the provider’s country', dayArgument)
      .addOption(environmentOption().makeOptionMandatory())
      .requiredOption('--by <who>', 'who signs it')
      .exitOverride(asFault)
  ofDay('close-day', 'sign that a provider’s day is in the books, every difference explained')
    .option('--reason <text>', 'a note, for the record', 'every difference is explained')
    .option(...jsonOption)
    .action(async (provider: string, day: string, { environment, json, ...decider }: DaySigned) =>
      (await actions()).signDay({ provider, day, environment }, decider, json).catch(asFault),
    )
  printing(
    ofDay('reopen-day', 'open a closed day again, to import a corrected statement').requiredOption(
      '--reason <text>',
      'why, for the record',
    ),
    async (provider: string, day: string, { environment, ...decider }: DaySigned) =>
      (await actions()).reopen({ provider, day, environment }, decider).catch(asFault),
  )
  command
    .command('days')
    .description('list the days that were closed, the last first; exits with 0, or 2 if it fails')
    .option('--provider <id>', 'only this one, like m17')
    .addOption(environmentOption())
    .option(...jsonOption)
    .exitOverride(asFault)
    .action(async (options: ReconcileOptions) => (await actions()).days(options).catch(asFault))
}

type DaySigned = Decider & { environment: Environment; json?: boolean }

const itemArgument = (text: string): ItemName => {
  const name = readItem(text)
  if (!name) throw new InvalidArgumentError('is no id of an item, like ftx-… or m17/live/4242.')
  return name
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
