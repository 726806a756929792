import type { Command } from 'commander'
import { accountIds, caseIds } from '../../ledger/accounts/resources.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { commandGroup, shownId } from '../command.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa cases`, for unexpected money movements that need a person's decision. */
export function addCaseCommands(program: Command): void {
  const add = commandGroup(program, 'cases', 'unexpected money movements that need a person’s decision')
  const decided = (name: string, about: string) =>
    withDecider(add(name, about).argument('<id>', 'cas-…', shownId(caseIds)))
  operating(
    add('list', 'list the open cases of all Spaces, oldest first').option(
      '--all',
      'include closed cases, with who closed them and why',
    ),
    (api, { all = false }: { all?: boolean }) => api.installation.cases.retrieve({ all }),
    {
      columns: 'id kind amount returned remaining environment openTime objectId spaceId closedBy reason',
      empty: 'No open cases.',
    },
  )
  operating(
    decided(
      'close',
      'close a case, either by moving its money to an account or because it was handled elsewhere',
    ).option(
      '--account <id>',
      'fac-…: move the money between suspense and this account; omit this option if the case was handled elsewhere, for example in cash',
      shownId(accountIds),
    ),
    (api, id: string, { account, reason }: Decider & { account?: string }) =>
      api.installation.cases.close(id, { reason, ...(account && { account }) }),
  )
  operating(
    decided('return', 'refund the payer for money that arrived after the payment had failed'),
    (api, id: string, { reason }: Decider) => api.installation.cases.return(id, { reason }),
  )
}
