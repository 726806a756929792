import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { commandGroup, printing } from '../command.ts'
import { withDecider } from './operator-command.ts'

/** Adds `pesewa archive`, which archives months. */
export function addArchiveCommands(program: Command): void {
  const add = commandGroup(program, 'archive', 'months of payments and bookings that are no longer needed')
  const actions = () => import('./archive-actions.ts')
  printing(
    add('list', 'list the months, oldest first, with what still needs the next one to be archived'),
    async () => (await actions()).listMonths(),
    { columns: 'month state rows megabytes archivedAt archivedBy blocks', empty: 'No months yet.' },
  )
  printing(
    withDecider(
      add('detach', 'verify the books and archive the oldest month: its rows move to the schema archive'),
    ).argument('<month>', 'month such as 2026-01', monthArgument),
    async (month: string, decider: Decider) => (await actions()).detachMonth(month, decider),
    { confirm: (month) => `Archive ${month}? The API no longer shows its payments and bookings.` },
  )
  const ofMonth = (name: string, about: string) =>
    add(name, about).argument('<month>', 'month such as 2026-01', monthArgument)
  printing(
    ofMonth('verify', 'verify the rows of an archived month against the books'),
    async (month: string) => (await actions()).verifyMonth(month),
  )
  printing(
    ofMonth('export', 'write an archived month to files, and read them back').requiredOption(
      '--to <folder>',
      'existing folder, in which a folder for the month is created',
    ),
    async (month: string, { to }: { to: string }) => (await actions()).exportToFiles(month, to),
  )
  printing(
    withDecider(
      ofMonth('drop', 'delete the rows of an archived month from the database, after reading its files'),
    ).requiredOption('--from <folder>', 'folder created by pesewa archive export'),
    async (month: string, { from, ...decider }: Decider & { from: string }) =>
      (await actions()).dropExported(month, from, decider),
    { confirm: (month) => `Delete the rows of ${month} from the database?` },
  )
  printing(
    add('restore', 'restore the rows of an exported month to the schema archive').requiredOption(
      '--from <folder>',
      'folder created by pesewa archive export',
    ),
    async ({ from }: { from: string }) => (await actions()).restoreFiles(from),
  )
}

function monthArgument(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text))
    throw new InvalidArgumentError('must be a month such as 2026-01.')
  return text
}
