import type { Environment } from '../../platform/scope.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { providersOf } from '../../rails/connections/connections.ts'
import { credentialsTimeOf } from '../../rails/connections/credentials.ts'
import { selectOpenBreakers, selectPauses } from '../../rails/routing/store.ts'
import { readSettings } from '../../slices.ts'
import { CommandError } from '../command.ts'
import { withDatabase } from './command-database.ts'

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
