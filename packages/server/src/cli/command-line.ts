import { codeOf, fieldsOf, messageOf } from '@pesewa/values'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ConfigError } from '../platform/config.ts'
import { processes } from '../platform/setting-values.ts'
import { programVersion } from '../platform/version.ts'
import type { OpenControl } from '../program.ts'
import { printing } from './command.ts'
import { addHelp } from './command-help.ts'
import { addCompletionCommand } from './completion-command.ts'
import { addDeveloperCommands } from './developer/commands.ts'
import { addDoctorCommand } from './doctor/doctor-command.ts'
import { explain } from './explanation.ts'
import { addBackupCommands } from './operator/backup-commands.ts'
import { addAdminCommands } from './operator/commands.ts'
import { allowColour } from './output/colour.ts'

const oldestNode = 24

/**
 * Runs one command and sets the exit code: 0 if it succeeded, 1 if it was refused or failed, or the code that
 * the error specifies.
 */
export async function runCommand(argv: string[]): Promise<void> {
  // EPIPE means that the reader closed the pipe, as `| head` does, which is not a failure.
  process.stdout.off('error', throwUnlessUnread).on('error', throwUnlessUnread)
  try {
    checkNode()
    await commands().parseAsync(withoutColour(argv))
  } catch (error) {
    process.exitCode = Number(fieldsOf(error).exitCode ?? 1)
    if (error instanceof CommanderError) return
    process.stderr.write(`${explain(error)}\n`)
  }
}

function throwUnlessUnread(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error
}

/**
 * Removes `--no-color` from the arguments, so that every command accepts it, and turns colour off if it was
 * present.
 */
function withoutColour(argv: string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const isPlain = (arg: string, place: number) => arg === '--no-color' && place < end
  allowColour(!argv.some(isPlain))
  return argv.filter((arg, place) => !isPlain(arg, place))
}

/** Builds the command tree. */
export function commands(): Command {
  const program = new Command('pesewa')
    .description('Payments that add up: a self-hosted payments service.')
    .version(programVersion(), '-V, --version', 'print the version')
    .option('--no-color', 'disable coloured output, like NO_COLOR=1')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    // An option belongs to the command that it follows, because both `reconcile` and `reconcile import` have
    // options.
    .enablePositionalOptions()
    .configureOutput({
      outputError: (text, write) => write(`${inOneLine(text)} (add --help for usage)\n`),
    })
    .commandsGroup('Run the service:')
  program
    .command('start')
    .description('run everything, with a demo shop and, unless DATABASE_URL is set, an embedded database')
    .addOption(processesOption())
    .action(async (options) => (await loadProgram()).start(openControl, options))
  program
    .command('serve')
    .description('serve requests as one of several nodes')
    .option('--work', 'also run background jobs')
    .addOption(processesOption())
    .action(async ({ work = false, ...options }) =>
      (await loadProgram()).node(openControl, { serve: true, work }, options),
    )
  program
    .command('work')
    .description('run background jobs as one of several nodes')
    .addOption(processesOption())
    .action(async (options) => (await loadProgram()).node(openControl, { serve: false, work: true }, options))
  printing(
    program.command('migrate').description("migrate the database to this version's schema"),
    async () => (await import('./operator/migrate-action.ts')).migrateDatabase(),
    {
      text: ({ applied }) =>
        applied.length > 0 ? `Applied migrations: ${applied.join(', ')}\n` : 'The database is up to date.\n',
    },
  )
  addDoctorCommand(program)
  addBackupCommands(program)
  addAdminCommands(program)
  program.commandsGroup('Developing:')
  addDeveloperCommands(program)
  program.commandsGroup('Shell:')
  addCompletionCommand(program)
  addHelp(program)
  return program
}

const processesOption = () =>
  new Option(
    '--processes <number>',
    'processes that share the work, like PROCESSES: 1 to 64, or auto',
  ).argParser((text) => {
    try {
      return processes(text)
    } catch (error) {
      throw new InvalidArgumentError(`${messageOf(error)}.`)
    }
  })

const inOneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ')

// Loaded on demand, because it takes longer than most commands.
const loadProgram = () => import('../program.ts')

const openControl: OpenControl = async (parts) => (await import('./control.ts')).openControl(parts)

function checkNode(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major < oldestNode)
    throw new ConfigError(`Pesewa needs Node ${oldestNode} or newer; this is ${process.version}.`)
}
