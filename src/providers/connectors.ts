import { createPeer } from '../platform/outbound/outbound.ts'
import type { Environment } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from './catalogue.ts'
import { type ConnectionFields, commonManners } from './connection-fields.ts'
import type { ProviderConnection } from './connections.ts'
import type { Connector } from './connector.ts'
import type { TestPlace } from './protocol.ts'
import { protocolOf } from './protocols/protocols.ts'
import type { Provider } from './provider.ts'

export type Connectors = {
  /** Also of a provider that is inactive: a payment in flight must be able to end. */
  connectorOf(providerId: string, environment: Environment): Connector | undefined
  /** Who reports to the address of a connection, and how; in test each provider has a connection of its own name. */
  reportsTo(
    connection: string,
    environment: Environment,
  ): { providerIds: readonly string[]; readReport: NonNullable<Connector['readReport']> } | undefined
  /** Of a provider's connection: another one when its address or account has changed. */
  revisionOf(providerId: string, environment: Environment): string
  /** Whether payments may begin with a provider: it is connected, and active in the catalogue. */
  isActive(providerId: string, environment: Environment): boolean
  /** The catalogue entry as the API returns it: its own fields only, `status` as it is in this environment. */
  describe(provider: Provider, environment: Environment): ProviderEntry
  close(): Promise<void>
}

export type ProviderEntry = Pick<
  Provider,
  'providerId' | 'name' | 'country' | 'status' | 'featureSet' | 'createTime' | 'updateTime'
>

type Options = Omit<TestPlace, 'simulatorUrl'> & {
  /** None: nothing is connected in test. */
  simulatorUrl: string | undefined
  /** Connections to one rail that this node opens at most. */
  maxConnections?: number
}

const defaultMaxConnections = 1_000 // limit: connections from one node to one rail
const defaultTimeoutMs = 10_000 // limit: time for a message to a rail, unless its connection says otherwise

/**
 * One connector per provider and environment, each with connections of its own, so that a slow rail holds up nobody
 * else. In `test` the simulator plays every rail whose protocol it speaks; `live` are the operator's connections.
 */
export function openConnectors(catalogue: Catalogue, options: Options): Connectors {
  const { maxConnections = defaultMaxConnections } = options
  const connect = (provider: Provider, spoken: { protocol: string }, connection: ConnectionFields) => {
    const fields = { timeoutMs: defaultTimeoutMs, ...connection }
    return within(provider, protocolOf(spoken).connect(fields, provider, createPeer(maxConnections)))
  }
  const byKey = new Map(
    catalogue.all().flatMap((provider) => {
      const { providerId } = provider
      const played = simulated(provider, options)
      const live = catalogue.connectionOf(providerId)
      return [
        [`test ${providerId}`, played && connect(provider, provider, played)] as const,
        [`live ${providerId}`, live && connect(provider, live, live)] as const,
      ]
    }),
  )
  const connectorOf = (providerId: string, environment: Environment) =>
    byKey.get(`${environment} ${providerId}`)
  const isActive = (providerId: string, environment: Environment) =>
    connectorOf(providerId, environment) !== undefined && catalogue.find(providerId)?.status.active === true
  return {
    connectorOf,
    reportsTo(connection, environment) {
      const providerIds =
        environment === 'test'
          ? [connection]
          : catalogue
              .all()
              .flatMap(({ providerId }) =>
                catalogue.connectionOf(providerId)?.name === connection ? [providerId] : [],
              )
      const [first = ''] = providerIds
      const readReport = connectorOf(first, environment)?.readReport
      return readReport && { providerIds, readReport }
    },
    revisionOf: (providerId, environment) =>
      environment === 'test' ? 'simulator' : revisionOf(options.seals, catalogue.connectionOf(providerId)),
    isActive,
    describe: ({ providerId, name, country, featureSet, createTime, updateTime }, environment) => ({
      providerId,
      name,
      country,
      status: { active: isActive(providerId, environment) },
      featureSet,
      createTime,
      updateTime,
    }),
    async close() {
      await Promise.all([...byKey.values()].map((connector) => connector?.close()))
    },
  }
}

/** Of all fields that decide where the rail is reached, and as whom. */
function revisionOf(seals: Seals, connection: ProviderConnection | undefined): string {
  const manners = connection ? [...commonManners, ...protocolOf(connection).manners] : []
  const identity = Object.entries(connection ?? {}).filter(([name]) => !manners.includes(name))
  return seals.fingerprint('connection', JSON.stringify(Object.fromEntries(identity))).slice(0, 16)
}

const simulated = (provider: Provider, { simulatorUrl, ...place }: Options) =>
  simulatorUrl === undefined
    ? undefined
    : protocolOf(provider).testConnection(provider, { simulatorUrl, ...place })

/** Leaves out what the provider cannot do by the catalogue; earlier disbursements can still be queried. */
export function within({ featureSet }: Provider, connector: Connector): Connector {
  const { disburse, verifyAccount, ...always } = connector
  return {
    ...always,
    ...(featureSet.payout.canPayTo && disburse && { disburse }),
    ...(featureSet.kycVerification.canVerifyAccount && verifyAccount && { verifyAccount }),
  }
}
