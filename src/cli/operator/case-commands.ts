import type { Command } from 'commander'
import { accountIds, caseIds } from '../../ledger/resources.ts'
import type { Decider } from '../../spaces/audit.ts'
import { idArgument, printing } from '../command.ts'
import type { CaseClosing } from './case-actions.ts'

// Loaded when they are run.
const actions = () => import('./case-actions.ts')

/** `pesewa cases`: money that waits for a person. */
export function addCaseCommands(program: Command): void {
  const commands = program
    .command('cases')
    .description('money that moved unexpectedly, and waits for a person to decide')
  printing(
    commands
      .command('list')
      .description('list the cases that are open, of all Spaces, the oldest first')
      .option('--all', 'include closed cases, with who closed them and why'),
    async (options: { all?: boolean }) => (await actions()).list(options),
    {
      list: {
        columns: [
          'id',
          'kind',
          'amount',
          'returned',
          'remaining',
          'environment',
          'openTime',
          'objectId',
          'spaceId',
          'closedBy',
          'reason',
        ],
        empty: 'No cases wait for a person.',
      },
    },
  )
  printing(
    commands
      .command('close')
      .description('end a case that was settled, or move its money to an account')
      .argument('<id>', 'cas-…', idArgument(caseIds))
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record')
      .option(
        '--account <id>',
        'fac-…: the money moves between suspense and this account; without it the case was settled elsewhere, in cash for instance',
        idArgument(accountIds),
      ),
    async (id: string, options: CaseClosing) => (await actions()).close(id, options),
  )
  printing(
    commands
      .command('return')
      .description('give money that arrived after its payment had failed back to its payer')
      .argument('<id>', 'cas-…', idArgument(caseIds))
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record'),
    async (id: string, decider: Decider) => (await import('./late-actions.ts')).returnLate(id, decider),
  )
}
