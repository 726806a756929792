import { must } from '@pesewa/values'
import type { Command } from 'commander'
import type { Pesewa } from '../../../../sdk/src/client.ts'
import type { PausedPlace } from '../../../../sdk/src/generated/types.ts'
import { CommandError, jsonOption } from '../command.ts'
import { operating } from './operator-command.ts'

/** Adds `pesewa connections`, for connections to rails, and `pesewa float`, for our balances at the rails. */
export function addConnectionCommands(program: Command): void {
  const commands = program.command('connections').description('connections to providers')
  operating(
    commands.command('list').description('list the live connections, without their secrets'),
    async (api) => ({ connections: await listConnections(api) }),
    {
      list: {
        columns: ['name', 'protocol', 'status', 'share', 'providers', 'paused', 'resting', 'credentialsTime'],
        empty: 'No connections yet. Add them to PROVIDERS_FILE; see docs/guides/providers.md.',
      },
    },
  )
  operating(
    commands
      .command('show')
      .description('show a live connection, without its secrets')
      .argument('<name>', 'connection name in PROVIDERS_FILE'),
    showConnection,
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
  // The name of the field says nothing to a person who typed an option.
  const names = { environment: '', providerId: '' }
  operating(
    withPauseOptions(
      commands
        .command('pause')
        .description('temporarily stop sending new payments and payouts through a connection'),
    )
      .requiredOption('--words <text>', 'message for payers and merchants during the pause')
      .requiredOption('--by <who>', 'name of the person making the decision'),
    async (api, name: string, { words, ...options }: PauseOptions & { words: string }) =>
      placeOf(await api.installation.providers.pause(name, { ...targetOf(options), words })),
    { names },
  )
  operating(
    withPauseOptions(commands.command('resume').description('end a pause')).requiredOption(
      '--by <who>',
      'name of the person making the decision',
    ),
    async (api, name: string, options: PauseOptions) =>
      placeOf(await api.installation.providers.resume(name, targetOf(options))),
    { names },
  )
  operating(
    program
      .command('float')
      .description('compare our account balances, as reported by the rails, with the books'),
    (api) => api.installation.float.retrieve(),
    {
      list: {
        columns: ['connection', 'where', 'account', 'amount', 'why'],
        empty: 'No connections to rails. Add them to PROVIDERS_FILE.',
      },
    },
  )
}

/** Lists the live connections. The API lists a connection once for each of its providers. */
async function listConnections(api: Pesewa) {
  const { connections } = await api.installation.providers.retrieve()
  const live = connections.filter(({ environment }) => environment === 'live')
  return [...Map.groupBy(live, ({ connection }) => connection)].map(([name, states]) => {
    const { protocol, isOpen, share, credentialsTime } = must(states[0], 'state of a connection')
    const pauses = states.flatMap((state) =>
      state.pauses.map(
        ({ direction, providerId, createTime, by, words }) =>
          `${direction}${providerId ? ` for ${providerId}` : ''} since ${createTime} by ${by}: ${words}`,
      ),
    )
    return {
      ...{ name, protocol, providers: states.map(({ providerId }) => providerId) },
      ...{ status: isOpen ? 'open' : 'closed', share },
      // A pause of the whole connection is listed with each of its providers.
      paused: [...new Set(pauses)],
      resting: states.flatMap(({ providerId, breakers }) =>
        breakers.map(({ kind, endTime }) => `${kind} for ${providerId} until ${endTime}`),
      ),
      credentialsTime,
    }
  })
}

async function showConnection(api: Pesewa, name: string) {
  const connections = await listConnections(api)
  const connection = connections.find((each) => each.name === name)
  if (connection) return connection
  const names = connections.map((each) => each.name)
  throw new CommandError(`There is no connection ${name}. Available: ${names.join(', ') || 'none'}.`)
}

type PauseOptions = { collect?: boolean; payOut?: boolean; provider?: string; test?: boolean }

/** Without a direction, or with both, the call is about both directions. */
const targetOf = ({ collect = false, payOut = false, provider, test }: PauseOptions) => ({
  environment: test ? ('test' as const) : ('live' as const),
  ...(collect !== payOut && { direction: collect ? ('collect' as const) : ('pay_out' as const) }),
  ...(provider !== undefined && { providerId: provider }),
})

const placeOf = ({ connection, environment, providerId, directions }: PausedPlace) => ({
  name: connection,
  environment,
  provider: providerId ?? 'all',
  directions: directions.join(', '),
})

const withPauseOptions = (command: Command) =>
  command
    .argument('<name>', 'connection name in PROVIDERS_FILE; with --test, a provider id')
    .option('--collect', 'payments only')
    .option('--pay-out', 'payouts and refunds only')
    .option('--provider <id>', 'only this provider of the connection')
    .option('--test', 'use the test environment')
