import type { Command } from 'commander'
import { closeCase, type ListedCase, listCases } from '../../ledger/cases.ts'
import { accountIds, caseIds } from '../../ledger/resources.ts'
import { wholeNumber } from '../../platform/http/json.ts'
import { showId } from '../../platform/ids.ts'
import type { Decider } from '../../spaces/audit.ts'
import { showOwner } from '../../spaces/ownership.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import { inTransaction, withDatabase } from './actions.ts'

/** `pesewa cases`: money that waits for a person. */
export function addCaseCommands(program: Command): void {
  const commands = program
    .command('cases')
    .description('money that moved unexpectedly, and waits for a person to decide')
  printing(
    commands.command('list').option('--all', 'include closed cases, with who closed them and why'),
    list,
  )
  printing(
    commands
      .command('close')
      .argument('<id>', 'cas-…', idArgument(caseIds))
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record')
      .option(
        '--account <id>',
        'fac-…: the money moves between suspense and this account; without it the case was settled elsewhere, in cash for instance',
        idArgument(accountIds),
      ),
    close,
  )
  printing(
    commands
      .command('return')
      .description('give money that arrived after its payment had failed back to its payer')
      .argument('<id>', 'cas-…', idArgument(caseIds))
      .requiredOption('--by <who>', 'who decides')
      .requiredOption('--reason <text>', 'why, for the record'),
    giveBack,
  )
}

const giveBack = async (id: string, decider: Decider) =>
  (await import('./late-actions.ts')).returnLate(id, decider)

const list = ({ all = false }) =>
  withDatabase(async (db) => ({ cases: (await listCases(db, all)).map(describe) }))

const close = (id: string, options: Decider & { account?: string }) =>
  inTransaction(async (tx) => {
    const { closedAt, closingReference } = await closeCase(tx, id, options, options.account)
    return { id: showId(caseIds, id), closeTime: closedAt, financialTransactionReference: closingReference }
  })

const describe = (one: ListedCase) => ({
  id: showId(caseIds, one.id),
  spaceId: showId(spaceIds, one.spaceId),
  environment: one.environment,
  kind: one.kind,
  objectId: showOwner({ id: one.objectId, type: one.objectType }),
  currency: one.currency,
  value: wholeNumber(one.amount),
  openTime: one.openedAt,
  closeTime: one.closedAt,
  closedBy: one.closedBy,
  reason: one.reason,
  financialTransactionReference: one.closingReference,
})
