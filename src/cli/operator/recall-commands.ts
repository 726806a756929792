import { type Command, InvalidArgumentError } from 'commander'
import { isSupportedCurrency } from '../../countries/money.ts'
import { payoutIds } from '../../payouts/resources.ts'
import { wholeNumber } from '../../platform/http/json.ts'
import { showId } from '../../platform/ids.ts'
import type { ListedRecall, Recall } from '../../recalls/recalls.ts'
import { recallIds } from '../../recalls/resources.ts'
import { listRecalls, type Returned, refuseRecall, returnRecall } from '../../recalls/returning.ts'
import type { Decider } from '../../spaces/audit.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { idArgument, printing } from '../command.ts'
import { inTransaction, withDatabase } from './actions.ts'

/** `pesewa recalls`: payouts that merchants ask back, and what came of it. */
export function addRecallCommands(program: Command): void {
  const commands = program
    .command('recalls')
    .description('payouts that merchants ask back from the provider or the payee')
  printing(commands.command('list').option('--all', 'include those that have ended'), list)
  printing(
    decided(
      commands
        .command('return')
        .description('book what came back: from the provider to the account that paid, once')
        .argument('<id>', 'rcl-…', idArgument(recallIds))
        .requiredOption('--transaction <text>', 'the provider’s own transaction by which it came back')
        .option('--amount <amount>', 'SLE:1500, in minor units; all of it if left out', amountArgument),
    ),
    (id: string, { amount, transaction, ...decider }: Decider & Returned) =>
      inTransaction(async (tx) => ended(await returnRecall(tx, id, { amount, transaction }, decider))),
  )
  printing(
    decided(
      commands
        .command('refuse')
        .description('the provider or the payee gives nothing back')
        .argument('<id>', 'rcl-…', idArgument(recallIds)),
    ),
    (id: string, decider: Decider) => inTransaction(async (tx) => ended(await refuseRecall(tx, id, decider))),
  )
}

const decided = (command: Command) =>
  command.requiredOption('--by <who>', 'who decides').requiredOption('--reason <text>', 'why, for the record')

function amountArgument(text: string): Returned['amount'] {
  const [, currency = '', value = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
  if (!isSupportedCurrency(currency)) throw new InvalidArgumentError('must be like SLE:1500, in minor units.')
  return { currency, value: BigInt(value) }
}

const list = ({ all = false }) =>
  withDatabase(async (db) => ({ recalls: (await listRecalls(db, all)).map(described) }))

const ended = ({ id, status, currency, returned, ledgerReference }: Recall) => ({
  id: showId(recallIds, id),
  status,
  currency,
  returned: wholeNumber(returned),
  financialTransactionReference: ledgerReference,
})

const described = (recall: ListedRecall) => ({
  id: showId(recallIds, recall.id),
  spaceId: showId(spaceIds, recall.spaceId),
  environment: recall.environment,
  status: recall.status,
  payoutId: showId(payoutIds, recall.payoutId),
  providerId: recall.providerId,
  /** What the provider knows the payout by, and whom it paid. */
  payoutTransaction: recall.payoutTransaction,
  payee: recall.payeeAccount,
  currency: recall.currency,
  value: wholeNumber(recall.amount),
  returned: wholeNumber(recall.returned),
  reason: recall.reason,
  note: recall.note,
  createTime: recall.createdAt,
})
