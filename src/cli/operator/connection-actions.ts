import type { Tx } from '../../platform/db/database.ts'
import type { Environment } from '../../platform/scope.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { providersOf } from '../../rails/connections/connections.ts'
import { credentialsTimeOf } from '../../rails/connections/credentials.ts'
import { findPauseIssue } from '../../rails/connections/reached-providers.ts'
import { type PauseScope, pauseDirections } from '../../rails/routing/pause-scope.ts'
import { pause, resume } from '../../rails/routing/pauses.ts'
import { selectOpenBreakers, selectPauses } from '../../rails/routing/store.ts'
import { readSettings } from '../../slices.ts'
import { CommandError } from '../command.ts'
import { inTransaction, withDatabase } from './command-database.ts'

// The parts of `pesewa connections` that use the database.

export const listConnections = () =>
  withDatabase(async (db) => {
    const { providersFile } = readSettings(process.env)
    const catalogue = loadCatalogue(providersFile)
    const [pauses, rests] = [await selectPauses(db), await selectOpenBreakers(db)]
    const ofConnection = <T extends { environment: Environment; connection: string }>(
      all: T[],
      name: string,
    ) => all.filter(({ environment, connection }) => environment === 'live' && connection === name)
    return {
      connections: catalogue.connections().map((connection) => ({
        name: connection.name,
        protocol: connection.protocol,
        providers: providersOf(connection),
        status: connection.status ?? 'open',
        share: connection.share ?? null,
        paused: ofConnection(pauses, connection.name).map(
          ({ providerId, direction, words, pausedBy, pausedAt }) =>
            `${direction}${providerId ? ` for ${providerId}` : ''} since ${pausedAt.toISOString()} by ${pausedBy}: ${words}`,
        ),
        resting: ofConnection(rests, connection.name).map(
          ({ providerId, kind, until }) => `${kind} for ${providerId} until ${until.toISOString()}`,
        ),
        credentialsTime: credentialsTimeOf(connection, providersFile),
      })),
    }
  })

export async function showConnection(name: string) {
  const { connections } = await listConnections()
  const connection = connections.find((each) => each.name === name)
  if (connection) return connection
  const names = connections.map((each) => each.name)
  throw new CommandError(`There is no connection ${name}. Available: ${names.join(', ') || 'none'}.`)
}

export type PauseOptions = {
  collect?: boolean
  payOut?: boolean
  provider?: string
  test?: boolean
  by: string
}

export const pauseConnection = (name: string, { words, ...options }: PauseOptions & { words: string }) =>
  forEachDirection(name, options, (tx, place) => pause(tx, place, { words, by: options.by }))

export const resumeConnection = (name: string, options: PauseOptions) =>
  forEachDirection(name, options, (tx, place) => resume(tx, place, options.by))

/** Runs `work` for each direction that was specified, or for both directions if none was. */
function forEachDirection(
  name: string,
  { collect, payOut, provider, test }: PauseOptions,
  work: (tx: Tx, place: PauseScope) => Promise<void>,
) {
  const environment = test ? 'test' : 'live'
  const fault = findPauseIssue(
    loadCatalogue(readSettings(process.env).providersFile),
    environment,
    name,
    provider,
  )
  if (fault) throw new CommandError(fault.says)
  const directions = pauseDirections.filter((direction) =>
    collect || payOut ? (direction === 'collect' ? collect : payOut) : true,
  )
  return inTransaction(async (tx) => {
    for (const direction of directions)
      await work(tx, { environment, connection: name, providerId: provider ?? null, direction })
    return { name, environment, provider: provider ?? 'all', directions: directions.join(', ') }
  })
}
