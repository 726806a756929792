import type { Agent } from 'undici'
import { createPeer } from '../platform/outbound/outbound.ts'
import type { Environment } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { Catalogue } from './catalogue.ts'
import type { Connection, MtnMomoConnection } from './connections.ts'
import type { Connector } from './connector.ts'
import { createAcquirer } from './protocols/acquirer/connector.ts'
import { createMtnMomo } from './protocols/mtn-momo/connector.ts'
import type { MtnMomoSettings } from './protocols/mtn-momo/settings.ts'
import { createRest } from './protocols/rest/connector.ts'
import type { Flow, RailSettings } from './protocols/rest/settings.ts'
import type { Provider } from './provider.ts'
import { callbackKey, railKey, simulatorCredentials, simulatorTargetEnvironment } from './test-credentials.ts'

export type Connectors = {
  /** What serves a provider, also while it is inactive: a payment under way must be able to end. */
  connectorOf(providerId: string, environment: Environment): Connector | undefined
  /** Of the connection that serves a provider: another where its address or its account has changed. */
  revisionOf(providerId: string, environment: Environment): string
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
  /** `http://127.0.0.1:8080/simulator`, without a slash at the end; none: nothing is connected in test. */
  simulatorUrl: string | undefined
  /** Where payers reach us, and with us the simulated rails' pages. */
  baseUrl: string
  /** Connections to one rail that this node opens at most. */
  maxConnections?: number
}

const defaultMaxConnections = 1_000 // limit: connections from one node to one rail
const defaultTimeoutMs = 10_000 // limit: time for a message to a rail, unless its connection says otherwise
/** A new token takes MTN's newer platform 10 to 20 s. */
const mtnTokenTimeoutMs = 30_000
/** They are near, and a test is not to wait long until it is certain that nothing is on its way to them. */
const simulatedTimeoutMs = 5_000 // limit: time for a message to a simulated rail

/**
 * One connector per provider and environment, each with connections of its own, so that a slow rail holds up nobody
 * else. In `test` the simulator plays every rail whose protocol it speaks; `live` are the operator's connections.
 */
export function openConnectors(catalogue: Catalogue, options: Options): Connectors {
  const { maxConnections = defaultMaxConnections } = options
  const peer = () => createPeer(maxConnections)
  const byKey = new Map(
    catalogue
      .all()
      .flatMap((provider) => [
        [`test ${provider.providerId}`, within(provider, simulated(provider, options, peer))] as const,
        [`live ${provider.providerId}`, within(provider, connected(provider, catalogue, peer))] as const,
      ]),
  )
  const connectorOf = (providerId: string, environment: Environment) =>
    byKey.get(`${environment} ${providerId}`)
  const isActive = (providerId: string, environment: Environment) =>
    connectorOf(providerId, environment) !== undefined && catalogue.find(providerId)?.status.active === true
  return {
    connectorOf,
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

/** How fast a rail is asked, how patiently, and how it reports: not where it is reached, nor as whom. */
const manners = ['timeoutMs', 'collections', 'maxPerSecond', 'maxAtOnce', 'callbackKey', 'statesAmounts']

function revisionOf(seals: Seals, connection: Connection | undefined): string {
  const identity = Object.entries(connection ?? {}).filter(([name]) => !manners.includes(name))
  return seals.fingerprint('connection', JSON.stringify(Object.fromEntries(identity))).slice(0, 16)
}

function simulated(
  provider: Provider,
  { simulatorUrl, baseUrl, seals }: Options,
  peer: () => Agent,
): Connector | undefined {
  if (simulatorUrl === undefined) return undefined
  const { protocol, providerId } = provider
  const rail: RailSettings = {
    baseUrl: `${simulatorUrl}/${protocol}/${providerId}`,
    key: railKey(seals),
    pageOrigin: new URL(baseUrl).origin,
    timeoutMs: simulatedTimeoutMs,
  }
  switch (protocol) {
    case 'rest':
      return createRest({ ...rail, flow: flowOf(provider), callbackKey: callbackKey(seals) }, peer())
    case 'acquirer':
      return createAcquirer(rail, peer())
    case 'mtn-momo':
      return createMtnMomo(
        {
          baseUrl: `${simulatorUrl}/mtn/${providerId}`,
          targetEnvironment: simulatorTargetEnvironment,
          collection: simulatorCredentials(seals, 'collection'),
          disbursement: simulatorCredentials(seals, 'disbursement'),
          timeoutMs: simulatedTimeoutMs,
          tokenTimeoutMs: simulatedTimeoutMs,
        },
        peer(),
      )
  }
}

function connected(provider: Provider, catalogue: Catalogue, peer: () => Agent): Connector | undefined {
  const connection = catalogue.connectionOf(provider.providerId)
  if (!connection) return undefined
  if (connection.protocol === 'mtn-momo') return createMtnMomo(settingsOf(connection, provider), peer())
  const { baseUrl, key, pageOrigin = new URL(baseUrl).origin, timeoutMs = defaultTimeoutMs } = connection
  const rail: RailSettings = { baseUrl, key, pageOrigin, timeoutMs }
  if (connection.protocol === 'acquirer') return createAcquirer(rail, peer())
  const { flow = flowOf(provider), callbackKey, statesAmounts = true } = connection
  return createRest({ ...rail, flow, statesAmounts, ...(callbackKey && { callbackKey }) }, peer())
}

/** What the catalogue says that a provider cannot do is not offered; what was begun before can still be asked for. */
function within({ featureSet }: Provider, connector: Connector | undefined): Connector | undefined {
  if (!connector) return connector
  const { disburse, verifyAccount, ...always } = connector
  return {
    ...always,
    ...(featureSet.payout.canPayTo && disburse && { disburse }),
    ...(featureSet.kycVerification.canVerifyAccount && verifyAccount && { verifyAccount }),
  }
}

/** What the catalogue says of a provider, unless its connection says otherwise. */
const flowOf = ({ featureSet }: Provider): Flow =>
  featureSet.payment.schemes.includes('redirect') ? 'redirect' : 'push'

function settingsOf(
  connection: MtnMomoConnection,
  { currencies: [currency = ''] }: Provider,
): MtnMomoSettings {
  const { baseUrl, targetEnvironment, collection, disbursement, sandboxCurrency } = connection
  const { timeoutMs = defaultTimeoutMs } = connection
  return {
    baseUrl,
    targetEnvironment,
    collection,
    ...(disbursement && { disbursement }),
    ...(sandboxCurrency === undefined ? {} : { sandboxCurrency: { sent: sandboxCurrency, currency } }),
    timeoutMs,
    tokenTimeoutMs: Math.max(timeoutMs, mtnTokenTimeoutMs),
  }
}
