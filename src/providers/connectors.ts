import type { Environment } from '../platform/clock.ts'
import { createPeer } from '../platform/outbound.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from './catalogue.ts'
import type { Connection } from './connections.ts'
import type { Connector } from './connector.ts'
import { createMtnMomo } from './mtn-momo/connector.ts'
import type { MtnMomoSettings } from './mtn-momo/settings.ts'
import type { Provider } from './provider.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from './simulator/credentials.ts'

export type Connectors = {
  /** What serves a provider, also while it is inactive: a payment under way must be able to end. */
  connectorOf(providerId: string, environment: Environment): Connector | undefined
  /** Whether payments may begin with a provider: it is connected, and its entry does not say otherwise. */
  isActive(providerId: string, environment: Environment): boolean
  /** The catalogue entry as the API answers it: its own fields only, `status` as it is in this environment. */
  describe(provider: Provider, environment: Environment): ProviderEntry
  close(): Promise<void>
}

export type ProviderEntry = Pick<
  Provider,
  'providerId' | 'name' | 'country' | 'status' | 'featureSet' | 'createTime' | 'updateTime'
>

type Options = {
  seals: Seals
  /** `http://127.0.0.1:8080/simulator`, without a slash at the end. */
  simulatorUrl: string
  /** Connections to one rail that this node opens at most. */
  maxConnections?: number
}

const defaultMaxConnections = 32
const defaultTimeoutMs = 10_000

/**
 * One connector per provider and environment, each with connections of its own, so that a slow rail holds up nobody
 * else. In `test` the simulator plays every rail whose protocol it speaks; `live` are the operator's connections.
 */
export function openConnectors(catalogue: Catalogue, options: Options): Connectors {
  const { maxConnections = defaultMaxConnections } = options
  const open = (settings: MtnMomoSettings | undefined) =>
    settings && createMtnMomo(settings, createPeer(maxConnections))
  const byKey = new Map(
    catalogue
      .all()
      .flatMap((provider) => [
        [`test ${provider.providerId}`, open(testSettings(provider, options))] as const,
        [`live ${provider.providerId}`, open(liveSettings(provider, catalogue))] as const,
      ]),
  )
  const connectorOf = (providerId: string, environment: Environment) =>
    byKey.get(`${environment} ${providerId}`)
  const isActive = (providerId: string, environment: Environment) =>
    connectorOf(providerId, environment) !== undefined && catalogue.find(providerId)?.status.active === true
  return {
    connectorOf,
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

function testSettings(provider: Provider, { simulatorUrl, seals }: Options): MtnMomoSettings | undefined {
  if (provider.protocol !== 'mtn-momo') return undefined
  return {
    baseUrl: `${simulatorUrl}/mtn/${provider.providerId}`,
    targetEnvironment: simulatorTargetEnvironment,
    collection: simulatorCredentials(seals),
    timeoutMs: defaultTimeoutMs,
  }
}

function liveSettings(provider: Provider, catalogue: Catalogue): MtnMomoSettings | undefined {
  const connection = catalogue.connectionOf(provider.providerId)
  return connection && settingsOf(connection, provider)
}

function settingsOf(connection: Connection, { currencies: [currency = ''] }: Provider): MtnMomoSettings {
  const { baseUrl, targetEnvironment, collection, sandboxCurrency, timeoutMs = defaultTimeoutMs } = connection
  return {
    baseUrl,
    targetEnvironment,
    collection,
    ...(sandboxCurrency === undefined ? {} : { sandboxCurrency: { sent: sandboxCurrency, currency } }),
    timeoutMs,
  }
}
