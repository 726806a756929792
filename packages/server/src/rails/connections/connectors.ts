import {
  type Bills,
  type ConnectionFields,
  type Connector,
  commonCallFields,
  createPeer,
  type Provider,
  type TestPlace,
} from '@pesewa/connector-kit'
import { type Environment, environments } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Catalogue } from './catalogue.ts'
import type { ProviderConnection } from './connections.ts'
import { protocolOf } from './protocols.ts'
import { openRotation } from './rotation.ts'

export type Connectors = {
  /**
   * Returns the connector for the provider's connection with this name or, if no name is given, for its first
   * connection. Includes providers and connections that no longer take new instructions, because instructions
   * in flight must be able to finish.
   */
  findConnector(
    providerId: string,
    environment: Environment,
    connection?: string | null,
  ): Connector | undefined
  /** Returns all connections of a provider, in the operator's order of preference. */
  findRoutes(providerId: string, environment: Environment): readonly ProviderRoute[]
  /**
   * Returns the providers that use a connection's callback URL, and the function that reads their reports. In
   * the test environment, each provider has a connection with the provider's id as its name.
   */
  findReportReader(
    connection: string,
    environment: Environment,
  ):
    | {
        /**
         * `isFirst`: whether this is the provider's first connection, which also receives reports about
         * instructions sent before connections had names.
         */
        reached: readonly { providerId: string; isFirst: boolean }[]
        readReport: NonNullable<Connector['readReport']>
      }
    | undefined
  /**
   * Returns the connections whose rails notify us of manual payments, each with the provider that collects
   * those payments.
   */
  billConnections(): BillConnection[]
  /**
   * Returns the revision of a provider's connection. It changes when the settings that determine the rail or
   * the account change.
   */
  revisionOf(providerId: string, environment: Environment, connection?: string | null): string
  /**
   * Returns whether a provider can take new payments, which requires an open connection and an active catalogue
   * entry.
   */
  isActive(providerId: string, environment: Environment): boolean
  /**
   * Returns the catalogue entry for the API: only the public fields, with the provider's `status` in this
   * environment.
   */
  describe(provider: Provider, environment: Environment): ProviderEntry
  close(): Promise<void>
}

export type ProviderEntry = Pick<
  Provider,
  'providerId' | 'name' | 'country' | 'status' | 'featureSet' | 'createTime' | 'updateTime'
>

/** A provider's connection and its connector. */
export type ProviderRoute = {
  connection: string
  connector: Connector
  /** Whether the connection takes new instructions. */
  isOpen: boolean
  /** Percentage of new instructions that this connection receives. */
  share: number | undefined
}

export type BillConnection = {
  environment: Environment
  connection: string
  providerId: string
  bills: Bills
}

type Options = Omit<TestPlace, 'simulatorUrl' | 'seals'> & {
  seals: Seals
  /** If undefined, no provider is connected in the test environment. */
  simulatorUrl: string | undefined
  /** Maximum number of sockets from this node to one rail. */
  maxConnections?: number
}

const defaultMaxConnections = 1_000
const defaultTimeoutMs = 10_000 // limit: time for a message to a rail, unless its connection sets a different limit

/**
 * Opens a connector for each connection, provider and environment. Each connector has its own sockets, so a
 * slow rail does not delay any other rail. In the test environment, the simulator stands in for every rail
 * whose protocol it supports; the live environment uses the operator's connections.
 */
export function openConnectors(catalogue: Catalogue, options: Options): Connectors {
  const { maxConnections = defaultMaxConnections } = options
  const opened: Pick<Connector, 'close'>[] = []
  const openProviderRoute = (
    provider: Provider,
    { name, protocol, files }: Pick<ProviderConnection, 'name' | 'protocol' | 'files'>,
    connection: ConnectionFields,
  ): ProviderRoute => {
    const build = (fields: ConnectionFields) => {
      const timed = { timeoutMs: defaultTimeoutMs, ...fields }
      return withinFeatures(
        provider,
        protocolOf({ protocol }).connect(timed, provider, createPeer(maxConnections)),
      )
    }
    const isOpen = connection.status !== 'closed'
    const route = { connection: name, isOpen, share: connection.share }
    if (!files) {
      const connector = build(connection)
      opened.push(connector)
      return { ...route, connector }
    }
    const rotation = openRotation(files, build)
    opened.push(rotation)
    return {
      ...route,
      get connector() {
        return rotation.current()
      },
    }
  }
  const byKey = new Map(
    catalogue.all().flatMap((provider) => {
      const { providerId, protocol } = provider
      const fields = simulated(provider, options)
      const live = catalogue.connectionsOf(providerId)
      return [
        [
          `test ${providerId}`,
          fields ? [openProviderRoute(provider, { name: providerId, protocol }, fields)] : [],
        ] as const,
        [
          `live ${providerId}`,
          live.map((connection) => openProviderRoute(provider, connection, connection)),
        ] as const,
      ]
    }),
  )
  const findRoutes = (providerId: string, environment: Environment) =>
    byKey.get(`${environment} ${providerId}`) ?? []
  const findRoute = (providerId: string, environment: Environment, connection: string | null = null) => {
    const routes = findRoutes(providerId, environment)
    return connection === null ? routes[0] : routes.find((route) => route.connection === connection)
  }
  const isActive = (providerId: string, environment: Environment) =>
    findRoutes(providerId, environment).some(({ isOpen }) => isOpen) &&
    catalogue.find(providerId)?.status.active === true
  return {
    findConnector: (...route) => findRoute(...route)?.connector,
    findRoutes,
    findReportReader(connection, environment) {
      const reached = catalogue.all().flatMap(({ providerId }) => {
        const route = findRoute(providerId, environment, connection)
        return route ? [{ providerId, isFirst: route === findRoute(providerId, environment) }] : []
      })
      const [first] = reached
      const readReport = first && findRoute(first.providerId, environment, connection)?.connector.readReport
      return readReport && { reached, readReport }
    },
    billConnections: () => {
      const taking = catalogue
        .all()
        .flatMap(({ providerId }) =>
          environments.flatMap((environment) =>
            findRoutes(providerId, environment).flatMap(({ connection, connector: { bills } }) =>
              bills ? [{ environment, connection, providerId, bills }] : [],
            ),
          ),
        )
      // A connection that reaches several providers still has only one number for manual payments.
      return [
        ...new Map(
          taking.toReversed().map((each) => [`${each.environment} ${each.connection}`, each]),
        ).values(),
      ]
    },
    revisionOf: (providerId, environment, connection) => {
      const name = findRoute(providerId, environment, connection)?.connection
      return environment === 'test'
        ? 'simulator'
        : connectionRevision(
            options.seals,
            catalogue.connectionsOf(providerId).find((each) => each.name === name),
          )
    },
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
      await Promise.all(opened.map((each) => each.close()))
    },
  }
}

/** Returns a hash of all fields that determine which rail is called and which account is used. */
function connectionRevision(seals: Seals, connection: ProviderConnection | undefined): string {
  const manners = connection ? [...commonCallFields, ...protocolOf(connection).callFields] : []
  // A new credential in the same file does not change the account, so the hash includes the file's name instead
  // of its content.
  const { files, ...fields } = connection ?? {}
  const written = files ? files.written : fields
  const identity = Object.entries(written).filter(([name]) => !manners.includes(name))
  return seals.fingerprint('connection', JSON.stringify(Object.fromEntries(identity))).slice(0, 16)
}

const simulated = (provider: Provider, { simulatorUrl, ...place }: Options) =>
  simulatorUrl === undefined
    ? undefined
    : protocolOf(provider).testConnection(provider, { simulatorUrl, ...place })

/**
 * Returns the connector without the operations that, according to the catalogue, the provider does not support.
 * Earlier disbursements can still be queried.
 */
export function withinFeatures({ featureSet }: Provider, connector: Connector): Connector {
  const { disburse, verifyAccount, ...always } = connector
  return {
    ...always,
    ...(featureSet.payout.canPayTo && disburse && { disburse }),
    ...(featureSet.kycVerification.canVerifyAccount && verifyAccount && { verifyAccount }),
  }
}
