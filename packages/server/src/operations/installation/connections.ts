import type { Provider } from '@pesewa/connector-kit'
import { selectFloats } from '../../finance/settlements/store.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Environment, environments } from '../../platform/scope.ts'
import { credentialsTimeOf } from '../../rails/connections/credentials.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { selectConnectionStats, selectOpenBreakers, selectPauses } from '../../rails/routing/store.ts'

export type ConnectionParts = Pick<Providers, 'catalogue' | 'connectors'> & {
  db: Database
  settings: { providersFile?: string | undefined }
}

/** State of a connection for one of its providers, as shown to the operator. */
export type ConnectionState = Awaited<ReturnType<typeof readConnections>>[number]

/** Lists all connections of both environments. */
export async function readConnections(parts: ConnectionParts) {
  const { db, catalogue } = parts
  const [pauses, breakers, stats, floats] = await Promise.all([
    selectPauses(db),
    selectOpenBreakers(db),
    selectConnectionStats(db),
    selectFloats(db),
  ])
  const [hours, days] = [Map.groupBy(stats.hour, nameOf), Map.groupBy(stats.day, nameOf)]
  return environments.flatMap((environment) =>
    catalogue.all().flatMap((provider) =>
      routesOfProvider(parts, environment, provider).map((route) => {
        const { connection } = route
        const place = { environment, connection, providerId: provider.providerId }
        const isHere = (one: { environment: Environment; connection: string; providerId: string | null }) =>
          one.environment === environment &&
          one.connection === connection &&
          (one.providerId ?? provider.providerId) === provider.providerId
        return {
          ...route,
          environment,
          provider,
          pauses: pauses.filter(isHere),
          breakers: breakers.filter(isHere),
          lastHour: hours.get(nameOf(place)) ?? [],
          lastDay: days.get(nameOf(place)) ?? [],
          // The test environment has no balances.
          floats: environment === 'live' ? floats.filter((float) => float.connection === connection) : [],
        }
      }),
    ),
  )
}

const nameOf = (place: { environment: Environment; connection: string; providerId: string }) =>
  `${place.environment} ${place.connection} ${place.providerId}`

/**
 * Lists a provider's connections. For a live connection, includes the time at which its credentials were last
 * changed.
 */
const routesOfProvider = (
  { catalogue, connectors, settings }: ConnectionParts,
  environment: Environment,
  { providerId, protocol }: Provider,
) =>
  connectors.findRoutes(providerId, environment).map(({ connection, isOpen, share = null }) => {
    const own = environment === 'live' && catalogue.connections().find(({ name }) => name === connection)
    return {
      connection,
      isOpen,
      share,
      protocol: own ? own.protocol : protocol,
      credentialsAt: own ? credentialsTimeOf(own, settings.providersFile) : null,
    }
  })
