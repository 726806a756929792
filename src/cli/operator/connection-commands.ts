import type { Command } from 'commander'
import { jsonOption, printing } from '../command.ts'
import type { PauseOptions } from './connection-actions.ts'

// Loaded when they are run: no other command needs the rails and their catalogue.
const actions = () => import('./connection-actions.ts')

/** `pesewa connections` and `pesewa float`: how the service reaches the rails of providers, and what is there. */
export function addConnectionCommands(program: Command): void {
  const commands = program.command('connections').description('how providers are reached')
  printing(
    commands.command('list').description('list the connections of live, without their secrets'),
    async () => (await actions()).listConnections(),
    {
      list: {
        columns: ['name', 'protocol', 'status', 'share', 'providers', 'paused', 'resting', 'credentialsTime'],
        empty: 'No connections yet: PROVIDERS_FILE names them, see docs/guides/providers.md.',
      },
    },
  )
  printing(
    commands
      .command('show')
      .description('show a connection of live, without its secrets')
      .argument('<name>', 'as in PROVIDERS_FILE'),
    async (name: string) => (await actions()).showConnection(name),
  )
  commands
    .command('test')
    .description('ask the rail something harmless, and say what it answered, step by step')
    .argument('<name>', 'as in PROVIDERS_FILE')
    .option(...jsonOption)
    .action(async (name: string, options: { json?: boolean }) =>
      (await import('./connection-test.ts')).testConnection(name, options),
    )
  commands
    .command('register')
    .description('give the rail the addresses where it reports payments that are made by hand')
    .argument('<name>', 'as in PROVIDERS_FILE; with --test the id of a provider')
    .option('--test', 'in the test environment')
    .option(...jsonOption)
    .action(async (name: string, options: { test?: boolean; json?: boolean }) =>
      (await import('./connection-test.ts')).registerConnection(name, options),
    )
  printing(
    placed(commands.command('pause').description('let it take nothing new for a while'))
      .requiredOption('--words <text>', 'what payers, and whoever pays out, read meanwhile')
      .requiredOption('--by <who>', 'who decides'),
    async (name: string, options: PauseOptions & { words: string }) =>
      (await actions()).pauseConnection(name, options),
  )
  printing(
    placed(commands.command('resume').description('end a pause')).requiredOption('--by <who>', 'who decides'),
    async (name: string, options: PauseOptions) => (await actions()).resumeConnection(name, options),
  )
  printing(
    program
      .command('float')
      .description('what is on our accounts at the rails, beside what the books say is there'),
    async () => (await import('./float.ts')).showFloat(),
    {
      list: {
        columns: ['connection', 'where', 'account', 'amount', 'why'],
        empty: 'There is no connection to a rail: PROVIDERS_FILE names them.',
      },
    },
  )
}

const placed = (command: Command) =>
  command
    .argument('<name>', 'as in PROVIDERS_FILE; with --test the id of a provider')
    .option('--collect', 'payments only')
    .option('--pay-out', 'payouts and refunds only')
    .option('--provider <id>', 'one of its providers only')
    .option('--test', 'in the test environment')
