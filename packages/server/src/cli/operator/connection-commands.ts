import type { ProbeStep } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import type { Command } from 'commander'
import type { ConnectionState, PausedPlace, Pesewa } from '../../../../sdk/src/index.ts'
import { CommandError, commandGroup, printing } from '../command.ts'
import { painted } from '../output/colour.ts'
import { byOption, operating } from './operator-command.ts'

/** Adds `pesewa connections`, for connections to rails, and `pesewa float`, for our balances at the rails. */
export function addConnectionCommands(program: Command): void {
  const add = commandGroup(program, 'connections', 'connections to providers')
  const named = (name: string, about: string, more = '') =>
    add(name, about).argument('<name>', `connection name in PROVIDERS_FILE${more}`)
  const orProvider = '; with --test, a provider id'
  const paused = (name: string, about: string) =>
    named(name, about, orProvider)
      .option('--collect', 'payments only')
      .option('--pay-out', 'payouts and refunds only')
      .option('--provider <id>', 'only this provider of the connection')
      .option(...testOption)
  operating(
    add('list', 'list the live connections, without their secrets'),
    async (api) => ({ connections: await listConnections(api) }),
    {
      columns: 'name protocol status share providers paused openBreakers credentialsTime',
      empty: 'No connections yet. Add them to PROVIDERS_FILE; see docs/guides/providers.md.',
    },
  )
  operating(
    named('show', 'show a live connection, its success rates, response times and last reports'),
    showConnection,
  )
  printing(
    named('test', 'test a connection with read-only requests, and print the result of each step'),
    async (name: string) => (await import('./connection-test.ts')).testConnection(name),
    { text: stepsText },
  )
  printing(
    named('register', 'register our callback URLs for manual payments with the rail', orProvider).option(
      ...testOption,
    ),
    async (name: string, options: { test?: boolean }) =>
      (await import('./connection-test.ts')).registerConnection(name, options),
    { text: stepsText },
  )
  // The name of the field says nothing to a person who typed an option.
  const names = { environment: '', providerId: '' }
  operating(
    paused('pause', 'temporarily stop sending new payments and payouts through a connection')
      .requiredOption('--words <text>', 'message for payers and merchants during the pause')
      .requiredOption(...byOption),
    async (api, name: string, { words, ...options }: PauseOptions & { words: string }) =>
      placeOf(await api.installation.providers.pause(name, { ...targetOf(options), words })),
    { names },
  )
  operating(
    paused('resume', 'end a pause').requiredOption(...byOption),
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
      columns: 'connection where account amount why',
      empty: 'No connections to rails. Add them to PROVIDERS_FILE.',
    },
  )
}

const stepsText = ({ steps }: { steps: ProbeStep[] }) =>
  steps
    .map(({ step, outcome, detail }) => `${painted(outcome, process.stdout)}  ${step}: ${detail}\n`)
    .join('')

const testOption = ['--test', 'use the test environment'] as const

/** Lists the live connections. */
const listConnections = async (api: Pesewa) =>
  [...(await liveStates(api))].map(([name, states]) => connectionOf(name, states))

/** Reads the states of the live connections, by name. The API lists a connection once for each of its providers. */
async function liveStates(api: Pesewa): Promise<Map<string, ConnectionState[]>> {
  const { connections } = await api.installation.providers.retrieve()
  const live = connections.filter(({ environment }) => environment === 'live')
  return Map.groupBy(live, ({ connection }) => connection)
}

function connectionOf(name: string, states: ConnectionState[]) {
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
    openBreakers: states.flatMap(({ providerId, breakers }) =>
      breakers.map(({ kind, endTime }) => `${kind} for ${providerId} until ${endTime}`),
    ),
    credentialsTime,
  }
}

async function showConnection(api: Pesewa, name: string) {
  const connections = await liveStates(api)
  const states = connections.get(name)
  if (states) return { ...connectionOf(name, states), traffic: states.flatMap(trafficOf) }
  const names = [...connections.keys()].join(', ')
  throw new CommandError(`There is no connection ${name}. Available: ${names || 'none'}.`)
}

/** Describes the traffic of a connection for one of its providers, in each direction. */
const trafficOf = ({ providerId, collect, payOut }: ConnectionState) =>
  Object.entries({ collect, pay_out: payOut }).map(
    ([direction, { lastHour, lastDay, p50Ms, p95Ms, lastReportTime }]) => ({
      providerId,
      direction,
      successLastHour: successText(lastHour),
      successLastDay: successText(lastDay),
      p50Ms,
      p95Ms,
      lastReportTime,
    }),
  )

/** Describes a success rate, such as "97 % of 340". `null` if nothing has succeeded or failed. */
const successText = ({ succeeded, failed, percent }: ConnectionState['collect']['lastHour']) =>
  percent === null ? null : `${percent} % of ${succeeded + failed}`

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
