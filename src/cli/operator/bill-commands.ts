import type { Command } from 'commander'
import type { Decider } from '../../spaces/audit.ts'
import { printing } from '../command.ts'

// Loaded when they are run: no other command needs the rails and their catalogue.
const actions = () => import('./bill-actions.ts')

/** `pesewa bills`: payments that payers made by hand, to our number at a rail. */
export function addBillCommands(program: Command): void {
  const commands = program
    .command('bills')
    .description('payments made by hand to our number at a provider, whose reference names nothing to pay')
  printing(
    commands
      .command('list')
      .description('list the payments that wait, the oldest first')
      .option('--all', 'include those that were allocated or closed'),
    async ({ all = false }: { all?: boolean }) => (await actions()).list(all),
    {
      list: {
        columns: ['connection', 'transaction', 'amount', 'accountReference', 'payTime', 'status', 'reason'],
        empty: 'No payments made by hand wait to be allocated.',
      },
    },
  )
  printing(
    decided(commands.command('assign'))
      .requiredOption('--code <number>', 'the payment code that was meant: its ten digits')
      .description('pay a payment code with it, whatever the code’s amount and state'),
    async (connection: string, transaction: string, options: Options & { code: string }) =>
      (await actions()).assign(connection, transaction, options),
  )
  printing(
    decided(commands.command('close')).description(
      'it was seen to elsewhere: given back at the rail, for instance',
    ),
    async (connection: string, transaction: string, options: Options) =>
      (await actions()).close(connection, transaction, options),
  )
}

type Options = Decider & { test?: boolean }

const decided = (command: Command) =>
  command
    .argument('<connection>', 'as in PROVIDERS_FILE; with --test the id of a provider')
    .argument('<transaction>', 'the provider’s number of it')
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--test', 'in the test environment')
