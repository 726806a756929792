import { type Command, InvalidArgumentError } from 'commander'
import { isSupportedCurrency } from '../../countries/money.ts'
import { recallIds } from '../../recalls/resources.ts'
import type { Returned } from '../../recalls/returning.ts'
import type { Decider } from '../../spaces/audit.ts'
import { idArgument, printing } from '../command.ts'

// Loaded when they are run.
const actions = () => import('./recall-actions.ts')

/** `pesewa recalls`: payouts that merchants ask back, and what came of it. */
export function addRecallCommands(program: Command): void {
  const commands = program
    .command('recalls')
    .description('payouts that merchants ask back from the provider or the payee')
  printing(
    commands
      .command('list')
      .description('list the recalls that are open, of all Spaces, the oldest first')
      .option('--all', 'include those that have ended'),
    async (options: { all?: boolean }) => (await actions()).list(options),
    {
      list: {
        columns: [
          'id',
          'status',
          'amount',
          'payee',
          'providerId',
          'createTime',
          'payoutTransaction',
          'payoutId',
          'environment',
          'spaceId',
        ],
        empty: 'No recalls wait for an outcome.',
      },
    },
  )
  printing(
    decided(
      commands
        .command('return')
        .description('book what came back: from the provider to the account that paid, once')
        .argument('<id>', 'rcl-…', idArgument(recallIds))
        .requiredOption('--transaction <text>', 'the provider’s own transaction by which it came back')
        .option('--amount <amount>', 'SLE:1500, in minor units; all of it if left out', amountArgument),
    ),
    async (id: string, options: Decider & Returned) => (await actions()).returned(id, options),
  )
  printing(
    decided(
      commands
        .command('refuse')
        .description('the provider or the payee gives nothing back')
        .argument('<id>', 'rcl-…', idArgument(recallIds)),
    ),
    async (id: string, decider: Decider) => (await actions()).refused(id, decider),
  )
}

const decided = (command: Command) =>
  command.requiredOption('--by <who>', 'who decides').requiredOption('--reason <text>', 'why, for the record')

function amountArgument(text: string): Returned['amount'] {
  const [, currency = '', value = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
  if (!isSupportedCurrency(currency)) throw new InvalidArgumentError('must be like SLE:1500, in minor units.')
  return { currency, value: BigInt(value) }
}
