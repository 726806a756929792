import { type Command, InvalidArgumentError } from 'commander'
import { jsonOption } from '../command.ts'

/** Adds `pesewa backup` and `pesewa restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'back up the whole database while the service runs, then verify the backup by reading it back',
    )
    .requiredOption('--to <folder>', 'folder for all backups; each gets a subfolder')
    .option(
      '--keep <count>',
      'number of backups to keep, including this one; older ones are removed',
      keepArgument,
    )
    .option(...jsonOption)
    .action(async (options) => (await import('./backup-actions.ts')).backup(options))
  program
    .command('restore')
    .description('unpack a backup into an empty DATA_DIR, start the database and verify the books')
    .requiredOption('--from <folder>', 'folder of the backup: a pesewa-… folder created by pesewa backup')
    .option('--check', 'only read the backup and verify its checksums')
    .option(...jsonOption)
    .action(async (options) => (await import('./backup-actions.ts')).restore(options))
}

const maxKept = 10_000 // maximum number of backups for --keep

function keepArgument(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > maxKept)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${maxKept}.`)
  return count
}
