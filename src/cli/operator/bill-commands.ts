import type { Command } from 'commander'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { printing } from '../command.ts'

// Loaded on demand, because most commands need neither the rails nor their catalogue.
const actions = () => import('./bill-actions.ts')

/** Adds `pesewa bills`, for manual payments to our number at a rail. */
export function addBillCommands(program: Command): void {
  const commands = program
    .command('bills')
    .description('unallocated manual payments to our number at a provider')
  printing(
    commands
      .command('list')
      .description('list unallocated payments, oldest first')
      .option('--all', 'include allocated and closed payments'),
    async ({ all = false }: { all?: boolean }) => (await actions()).list(all),
    {
      list: {
        columns: ['connection', 'transaction', 'amount', 'accountReference', 'payTime', 'status', 'reason'],
        empty: 'No manual payments to allocate.',
      },
    },
  )
  printing(
    decided(commands.command('assign'))
      .requiredOption('--code <number>', 'ten-digit payment code that the payer meant to pay')
      .description('apply a payment to a payment code, regardless of the code’s amount or status'),
    async (connection: string, transaction: string, options: Options & { code: string }) =>
      (await actions()).assign(connection, transaction, options),
  )
  printing(
    decided(commands.command('close')).description(
      'close an unallocated payment that was handled elsewhere, for example refunded in the provider’s portal',
    ),
    async (connection: string, transaction: string, options: Options) =>
      (await actions()).close(connection, transaction, options),
  )
}

type Options = Decider & { test?: boolean }

const decided = (command: Command) =>
  command
    .argument('<connection>', 'connection name in PROVIDERS_FILE; with --test, a provider id')
    .argument('<transaction>', 'the provider’s transaction number')
    .requiredOption('--by <who>', 'name of the person making the decision')
    .requiredOption('--reason <text>', 'reason, for the record')
    .option('--test', 'use the test environment')
