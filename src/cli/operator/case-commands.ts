import type { Command } from 'commander'
import { closeCase, type ListedCase, listCases } from '../../ledger/cases.ts'
import { accountIds, caseIds } from '../../ledger/resources.ts'
import { wholeNumber } from '../../platform/http/json.ts'
import { showId } from '../../platform/ids.ts'
import type { Decider } from '../../spaces/audit.ts'
import { showOwner } from '../../spaces/ownership.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { idArgument } from '../arguments.ts'
import { type Json, jsonOption, print } from '../output.ts'
import { withDatabase } from './actions.ts'

/** `pesewa cases`: money that waits for a person. */
export function addCaseCommands(program: Command): void {
  const commands = program
    .command('cases')
    .description('money that moved when it was not expected to, and waits for a person')
  commands
    .command('list')
    .option('--all', 'also those that are closed, with who closed them and why')
    .option(...jsonOption)
    .action((options: { all?: boolean } & Json) => print(options, () => list(options)))
  commands
    .command('close')
    .argument('<id>', 'cas-…', idArgument(caseIds))
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for those who ask later')
    .option(
      '--account <id>',
      'fac-…: the money moves between suspense and this account',
      idArgument(accountIds),
    )
    .option(...jsonOption)
    .action((id: string, options: Decider & { account?: string } & Json) =>
      print(options, () => close(id, options)),
    )
}

const list = ({ all = false }) =>
  withDatabase(async (db) => ({ cases: (await listCases(db, all)).map(described) }))

const close = (id: string, options: Decider & { account?: string }) =>
  withDatabase((db) =>
    db.transaction(async (tx) => {
      const { closedAt, closingReference } = await closeCase(tx, id, options, options.account)
      return { id: showId(caseIds, id), closeTime: closedAt, financialTransactionReference: closingReference }
    }),
  )

const described = (found: ListedCase) => ({
  id: showId(caseIds, found.id),
  spaceId: showId(spaceIds, found.spaceId),
  environment: found.environment,
  kind: found.kind,
  objectId: showOwner({ id: found.objectId, type: found.objectType }),
  currency: found.currency,
  value: wholeNumber(found.amount),
  openTime: found.openedAt,
  closeTime: found.closedAt,
  closedBy: found.closedBy,
  reason: found.reason,
  financialTransactionReference: found.closingReference,
})
