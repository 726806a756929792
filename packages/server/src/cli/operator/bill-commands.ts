import type { Command } from 'commander'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa bills`, for manual payments to our number at a rail. */
export function addBillCommands(program: Command): void {
  const commands = program
    .command('bills')
    .description('unallocated manual payments to our number at a provider')
  operating(
    commands
      .command('list')
      .description('list unallocated payments, oldest first')
      .option('--all', 'include allocated and closed payments'),
    (api, { all = false }: { all?: boolean }) => api.installation.bills.retrieve({ all }),
    {
      list: {
        columns: ['connection', 'transaction', 'amount', 'accountReference', 'payTime', 'status', 'reason'],
        empty: 'No manual payments to allocate.',
      },
    },
  )
  operating(
    decided(commands.command('assign'))
      .requiredOption('--code <number>', 'ten-digit payment code that the payer meant to pay')
      .description('apply a payment to a payment code, regardless of the code’s amount or status'),
    (api, connection: string, transaction: string, options: Options & { code: string }) => {
      const { code, reason } = options
      return api.installation.bills.assign({ ...billOf(connection, transaction, options), code, reason })
    },
  )
  operating(
    decided(commands.command('close')).description(
      'close an unallocated payment that was handled elsewhere, for example refunded in the provider’s portal',
    ),
    (api, connection: string, transaction: string, options: Options) => {
      const { reason } = options
      return api.installation.bills.close({ ...billOf(connection, transaction, options), reason })
    },
  )
}

type Options = Decider & { test?: boolean }

const billOf = (connection: string, transaction: string, { test }: Options) => ({
  environment: test ? ('test' as const) : ('live' as const),
  connection,
  transaction,
})

const decided = (command: Command) =>
  withDecider(
    command
      .argument('<connection>', 'connection name in PROVIDERS_FILE; with --test, a provider id')
      .argument('<transaction>', 'the provider’s transaction number'),
  ).option('--test', 'use the test environment')
