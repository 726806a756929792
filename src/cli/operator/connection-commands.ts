import type { Command } from 'commander'
import { jsonOption, printing } from '../command.ts'
import type { PauseOptions } from './connection-actions.ts'

// Loaded on demand, because most commands need neither the rails nor their catalogue.
const actions = () => import('./connection-actions.ts')

/** Adds `pesewa connections`, for connections to rails, and `pesewa float`, for our balances at the rails. */
export function addConnectionCommands(program: Command): void {
  const commands = program.command('connections').description('connections to providers')
  printing(
    commands.command('list').description('list the live connections, without their secrets'),
    async () => (await actions()).listConnections(),
    {
      list: {
        columns: ['name', 'protocol', 'status', 'share', 'providers', 'paused', 'resting', 'credentialsTime'],
        empty: 'No connections yet. Add them to PROVIDERS_FILE; see docs/guides/providers.md.',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show a live connection, without its secrets')
      .argument('<name>', 'connection name in PROVIDERS_FILE'),
    async (name: string) => (await actions()).showConnection(name),
  )
  commands
    .command('test')
    .description('test a connection with read-only requests, and print the result of each step')
    .argument('<name>', 'connection name in PROVIDERS_FILE')
    .option(...jsonOption)
    .action(async (name: string, options: { json?: boolean }) =>
      (await import('./connection-test.ts')).testConnection(name, options),
    )
  commands
    .command('register')
    .description('register our callback URLs for manual payments with the rail')
    .argument('<name>', 'connection name in PROVIDERS_FILE; with --test, a provider id')
    .option('--test', 'use the test environment')
    .option(...jsonOption)
    .action(async (name: string, options: { test?: boolean; json?: boolean }) =>
      (await import('./connection-test.ts')).registerConnection(name, options),
    )
  printing(
    withPauseOptions(
      commands
        .command('pause')
        .description('temporarily stop sending new payments and payouts through a connection'),
    )
      .requiredOption('--words <text>', 'message for payers and merchants during the pause')
      .requiredOption('--by <who>', 'name of the person making the decision'),
    async (name: string, options: PauseOptions & { words: string }) =>
      (await actions()).pauseConnection(name, options),
  )
  printing(
    withPauseOptions(commands.command('resume').description('end a pause')).requiredOption(
      '--by <who>',
      'name of the person making the decision',
    ),
    async (name: string, options: PauseOptions) => (await actions()).resumeConnection(name, options),
  )
  printing(
    program
      .command('float')
      .description('compare our account balances, as reported by the rails, with the books'),
    async () => (await import('./float.ts')).showFloat(),
    {
      list: {
        columns: ['connection', 'where', 'account', 'amount', 'why'],
        empty: 'No connections to rails. Add them to PROVIDERS_FILE.',
      },
    },
  )
}

const withPauseOptions = (command: Command) =>
  command
    .argument('<name>', 'connection name in PROVIDERS_FILE; with --test, a provider id')
    .option('--collect', 'payments only')
    .option('--pay-out', 'payouts and refunds only')
    .option('--provider <id>', 'only this provider of the connection')
    .option('--test', 'use the test environment')
