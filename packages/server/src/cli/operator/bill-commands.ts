import type { Command } from 'commander'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { commandGroup } from '../command.ts'
import { operating, withDecider } from './operator-command.ts'

/** Adds `pesewa bills`, for manual payments to our number at a rail. */
export function addBillCommands(program: Command): void {
  const add = commandGroup(program, 'bills', 'unallocated manual payments to our number at a provider')
  operating(
    add('list', 'list unallocated payments, oldest first').option(
      '--all',
      'include allocated and closed payments',
    ),
    (api, { all = false }: { all?: boolean }) => api.installation.bills.retrieve({ all }),
    {
      columns: 'connection transaction amount accountReference payTime status reason',
      empty: 'No manual payments to allocate.',
    },
  )
  operating(
    decided(
      add('assign', 'apply a payment to a payment code, regardless of the code’s amount or status'),
    ).requiredOption('--code <number>', 'ten-digit payment code that the payer meant to pay'),
    (api, connection: string, transaction: string, { code, ...options }: Options & { code: string }) =>
      api.installation.bills.assign({ ...billOf(connection, transaction, options), code }),
  )
  operating(
    decided(
      add(
        'close',
        'close an unallocated payment that was handled elsewhere, for example refunded in the provider’s portal',
      ),
    ),
    (api, connection: string, transaction: string, options: Options) =>
      api.installation.bills.close(billOf(connection, transaction, options)),
  )
}

type Options = Decider & { test?: boolean }

const billOf = (connection: string, transaction: string, { test, reason }: Options) => ({
  ...{ environment: test ? ('test' as const) : ('live' as const), connection, transaction, reason },
})

const decided = (command: Command) =>
  withDecider(
    command
      .argument('<connection>', 'connection name in PROVIDERS_FILE; with --test, a provider id')
      .argument('<transaction>', 'the provider’s transaction number'),
  ).option('--test', 'use the test environment')
