import { createPeer } from '../platform/outbound/outbound.ts'
import { type Environment, environments } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from './catalogue.ts'
import { type ConnectionFields, commonManners } from './connection-fields.ts'
import type { ProviderConnection } from './connections.ts'
import type { Bills, Connector } from './connector.ts'
import type { TestPlace } from './protocol.ts'
import { protocolOf } from './protocols/protocols.ts'
import type { Provider } from './provider.ts'
import { openRotation } from './rotation.ts'

export type Connectors = {
  /**
   * By a provider's connection of this name, or by its first where none is named. Also of a provider or connection that
   * takes nothing new: a payment in flight must be able to end.
   */
  connectorOf(providerId: string, environment: Environment, connection?: string | null): Connector | undefined
  /** All connections of a provider, in the operator's order of preference. */
  roadsOf(providerId: string, environment: Environment): readonly Road[]
  /** Who reports to the address of a connection, and how; in test each provider has a connection of its own name. */
  reportsTo(
    connection: string,
    environment: Environment,
  ):
    | {
        /** `isFirst`: of what was sent before connections had names, this one has the reports. */
        reached: readonly { providerId: string; isFirst: boolean }[]
        readReport: NonNullable<Connector['readReport']>
      }
    | undefined
  /** The connections whose rails notify us of payments by hand, each with the provider that they are paid through. */
  takingBills(): BillConnection[]
  /** Of a provider's connection: another one when its address or account has changed. */
  revisionOf(providerId: string, environment: Environment, connection?: string | null): string
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

/** A connection of a provider, and the connector to that provider. */
export type Road = {
  connection: string
  connector: Connector
  /** Whether it takes what is new. */
  isOpen: boolean
  /** Percent of what is new. */
  share: number | undefined
}

export type BillConnection = {
  environment: Environment
  connection: string
  providerId: string
  bills: Bills
}

type Options = Omit<TestPlace, 'simulatorUrl'> & {
  /** None: nothing is connected in test. */
  simulatorUrl: string | undefined
  /** Connections to one rail that this node opens at most. */
  maxConnections?: number
}

const defaultMaxConnections = 1_000 // limit: connections from one node to one rail
const defaultTimeoutMs = 10_000 // limit: time for a message to a rail, unless its connection says otherwise

/**
 * One connector per connection, provider and environment, each with connections of its own, so that a slow rail holds up nobody
 * else. In `test` the simulator plays every rail whose protocol it speaks; `live` are the operator's connections.
 */
export function openConnectors(catalogue: Catalogue, options: Options): Connectors {
  const { maxConnections = defaultMaxConnections } = options
  const opened: Pick<Connector, 'close'>[] = []
  const roadBy = (
    provider: Provider,
    { name, protocol, files }: Pick<ProviderConnection, 'name' | 'protocol' | 'files'>,
    connection: ConnectionFields,
  ): Road => {
    const build = (fields: ConnectionFields) => {
      const timed = { timeoutMs: defaultTimeoutMs, ...fields }
      return within(provider, protocolOf({ protocol }).connect(timed, provider, createPeer(maxConnections)))
    }
    const isOpen = connection.status !== 'closed'
    const road = { connection: name, isOpen, share: connection.share }
    if (!files) {
      const connector = build(connection)
      opened.push(connector)
      return { ...road, connector }
    }
    const rotation = openRotation(files, build)
    opened.push(rotation)
    return {
      ...road,
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
          fields ? [roadBy(provider, { name: providerId, protocol }, fields)] : [],
        ] as const,
        [`live ${providerId}`, live.map((connection) => roadBy(provider, connection, connection))] as const,
      ]
    }),
  )
  const roadsOf = (providerId: string, environment: Environment) =>
    byKey.get(`${environment} ${providerId}`) ?? []
  const roadOf = (providerId: string, environment: Environment, connection: string | null = null) => {
    const roads = roadsOf(providerId, environment)
    return connection === null ? roads[0] : roads.find((road) => road.connection === connection)
  }
  const isActive = (providerId: string, environment: Environment) =>
    roadsOf(providerId, environment).some(({ isOpen }) => isOpen) &&
    catalogue.find(providerId)?.status.active === true
  return {
    connectorOf: (...road) => roadOf(...road)?.connector,
    roadsOf,
    reportsTo(connection, environment) {
      const reached = catalogue.all().flatMap(({ providerId }) => {
        const road = roadOf(providerId, environment, connection)
        return road ? [{ providerId, isFirst: road === roadOf(providerId, environment) }] : []
      })
      const [first] = reached
      const readReport = first && roadOf(first.providerId, environment, connection)?.connector.readReport
      return readReport && { reached, readReport }
    },
    takingBills: () => {
      const taking = catalogue
        .all()
        .flatMap(({ providerId }) =>
          environments.flatMap((environment) =>
            roadsOf(providerId, environment).flatMap(({ connection, connector: { bills } }) =>
              bills ? [{ environment, connection, providerId, bills }] : [],
            ),
          ),
        )
      // A connection that reaches several providers is one number all the same.
      return [
        ...new Map(
          taking.toReversed().map((each) => [`${each.environment} ${each.connection}`, each]),
        ).values(),
      ]
    },
    revisionOf: (providerId, environment, connection) => {
      const name = roadOf(providerId, environment, connection)?.connection
      return environment === 'test'
        ? 'simulator'
        : revisionOf(
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

/** Of all fields that decide where the rail is reached, and as whom. */
function revisionOf(seals: Seals, connection: ProviderConnection | undefined): string {
  const manners = connection ? [...commonManners, ...protocolOf(connection).manners] : []
  // A credential in a file is replaced there, and opens the same account: the file counts, not what it holds.
  const { files, ...fields } = connection ?? {}
  const written = files ? files.written : fields
  const identity = Object.entries(written).filter(([name]) => !manners.includes(name))
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
