import type { Command } from 'commander'
import { accountIds, caseIds } from '../../ledger/accounts/resources.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { idArgument, printing } from '../command.ts'
import type { CaseClosing } from './case-actions.ts'

// Loaded on demand.
const actions = () => import('./case-actions.ts')

/** Adds `pesewa cases`, for unexpected money movements that need a person's decision. */
export function addCaseCommands(program: Command): void {
  const commands = program
    .command('cases')
    .description('unexpected money movements that need a person’s decision')
  printing(
    commands
      .command('list')
      .description('list the open cases of all Spaces, oldest first')
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
        empty: 'No open cases.',
      },
    },
  )
  printing(
    commands
      .command('close')
      .description(
        'close a case, either by moving its money to an account or because it was handled elsewhere',
      )
      .argument('<id>', 'cas-…', idArgument(caseIds))
      .requiredOption('--by <who>', 'name of the person making the decision')
      .requiredOption('--reason <text>', 'reason, for the record')
      .option(
        '--account <id>',
        'fac-…: move the money between suspense and this account; omit this option if the case was handled elsewhere, for example in cash',
        idArgument(accountIds),
      ),
    async (id: string, options: CaseClosing) => (await actions()).close(id, options),
  )
  printing(
    commands
      .command('return')
      .description('refund the payer for money that arrived after the payment had failed')
      .argument('<id>', 'cas-…', idArgument(caseIds))
      .requiredOption('--by <who>', 'name of the person making the decision')
      .requiredOption('--reason <text>', 'reason, for the record'),
    async (id: string, decider: Decider) => (await import('./late-actions.ts')).returnLate(id, decider),
  )
}
