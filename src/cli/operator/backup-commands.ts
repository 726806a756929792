import { type Command, InvalidArgumentError } from 'commander'
import { jsonOption } from '../command.ts'

/** `pesewa backup` and `pesewa restore` */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('copy the whole database, beside the running service, and read the copy back')
    .requiredOption('--to <folder>', 'where backups are kept; each is a folder in it')
    .option('--keep <count>', 'remove all but so many of the newest, this one included', keepArgument)
    .option(...jsonOption)
    .action(async (options) => (await import('./backup-actions.ts')).backup(options))
  program
    .command('restore')
    .description('unpack a backup into an empty DATA_DIR, start it and prove the books')
    .requiredOption('--from <folder>', 'the backup: pesewa-…, in the folder that backups are kept in')
    .option('--check', 'only read it and hold every file against its sum')
    .option(...jsonOption)
    .action(async (options) => (await import('./backup-actions.ts')).restore(options))
}

const maxKept = 10_000 // limit: backups that --keep keeps

function keepArgument(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > maxKept)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${maxKept}.`)
  return count
}
