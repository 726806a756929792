import { Command, CommanderError } from 'commander'
import { DatabaseError, joinOrStartDatabase } from '../database.ts'
import { BackupError } from '../platform/backup/base-backup.ts'
import { ConfigError } from '../platform/config.ts'
import { EmbeddedPostgresError } from '../platform/db/embedded.ts'
import { isAway } from '../platform/db/failures.ts'
import { MigrationError, migrate } from '../platform/db/migrate.ts'
import { codeOf, messageOf } from '../platform/errors.ts'
import { fieldsOf } from '../platform/fields.ts'
import { Refusal } from '../platform/refusals.ts'
import { node, start } from '../program.ts'
import { CatalogueError } from '../providers/catalogue-error.ts'
import { readSettings } from '../slices.ts'
import { CommandError } from './command.ts'
import { addDeveloperCommands } from './developer/commands.ts'
import { addAdminCommands } from './operator/commands.ts'

const oldestNode = 24

/** Runs one command to its end and sets the exit code: 0 done, 1 refused or failed, or as the error says. */
export async function runCommand(argv: string[]): Promise<void> {
  try {
    checkNode()
    await commands().parseAsync(argv)
  } catch (error) {
    process.exitCode = Number(fieldsOf(error).exitCode ?? 1)
    if (error instanceof CommanderError) return
    process.stderr.write(`${explain(error)}\n`)
  }
}

/** The grammar of the whole program. */
export function commands(): Command {
  const program = new Command('pesewa')
    .description('Payments that add up: a payments service you run yourself.')
    .exitOverride()
    // An option belongs to the command that it stands behind: `reconcile` and `reconcile import` both have some.
    .enablePositionalOptions()
    .configureOutput({
      outputError: (text, write) => write(`${inOneLine(text)} (add --help for usage)\n`),
    })
  program
    .command('start')
    .description(
      'run everything in one process, with a demo shop and, unless DATABASE_URL is set, a database of its own',
    )
    .action(start)
  program
    .command('serve')
    .description('serve requests, as one node of many')
    .option('--work', 'run background jobs too', false)
    .action(({ work }: { work: boolean }) => node({ serve: true, work }))
  program
    .command('work')
    .description('run background jobs, as one node of many')
    .action(() => node({ serve: false, work: true }))
  program
    .command('migrate')
    .description('bring the database to the schema of this version')
    .action(migrateDatabase)
  addAdminCommands(program)
  addDeveloperCommands(program)
  return program
}

const inOneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ')

async function migrateDatabase(): Promise<void> {
  const database = await joinOrStartDatabase(readSettings(process.env))
  try {
    const applied = await migrate(database.connection)
    process.stdout.write(
      applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The database is up to date.\n',
    )
  } finally {
    await database.stop()
  }
}

function checkNode(): void {
  const major = Number(process.versions.node.split('.')[0])
  if (major < oldestNode)
    throw new ConfigError(`Pesewa needs Node ${oldestNode} or newer; this is ${process.version}.`)
}

/** A line for what a person can do something about; everything else is a bug and shows where it is. */
function explain(error: unknown): string {
  if (error instanceof Refusal && error.reason !== 'service_unavailable')
    return (
      error.details.map(({ param, errors }) => `${param} ${errors.join('; ')}`).join('\n') || error.message
    )
  const mendable = [
    BackupError,
    CommandError,
    ConfigError,
    DatabaseError,
    EmbeddedPostgresError,
    MigrationError,
    CatalogueError,
  ]
  if (mendable.some((kind) => error instanceof kind)) return messageOf(error)
  const { port, address, hostname, path } = fieldsOf(error)
  const code = codeOf(error)
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the program that uses it, or choose another with PORT (or METRICS_PORT).`
  if (code === 'EACCES' && port)
    return `Port ${port} needs more rights than this user has: choose one above 1023 with PORT.`
  if (code === 'EADDRNOTAVAIL')
    return `HOST ${address} is not an address of this machine (or METRICS_HOST, where that is set).`
  if (code === 'ENOTFOUND' && hostname)
    return `HOST ${hostname} cannot be resolved: choose an address of this machine.`
  if (path && ['EACCES', 'EPERM', 'EROFS'].includes(code))
    return `${path} cannot be read and written by this user: change its owner, or set DATA_DIR to another folder.`
  if (path && ['ENOTDIR', 'EEXIST'].includes(code))
    return `${path} is not a folder: remove it, or set DATA_DIR to another folder.`
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `No space is left on the disk of ${path ?? 'DATA_DIR'}: free some.`
  if (isAway(error) && !path)
    return 'The database ended, or cannot be reached any more. Whatever was not committed is undone; start again when it is back.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
