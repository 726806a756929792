import type { ConnectionFields } from '../connection-fields.ts'
import { createPeer, NoAnswer, send } from '../outbound.ts'
import type { Conformance, Protocol } from '../protocol.ts'
import type { Provider } from '../provider.ts'
import { isUnauthorized } from '../rail-call.ts'
import { type CallbackReceiver, startReceiver } from './callbacks.ts'
import { describeOutcomes } from './findings.ts'
import { startProxy } from './proxy.ts'
import { neverSubmitted, nothingSeen, queryOf, type TestBench } from './test-bench.ts'

type StandOptions = Pick<TestBench, 'accounts' | 'amount' | 'wait'> & {
  /** The URL at which the rail can reach the receiver, if the receiver does not run on loopback. */
  callbackUrl?: string
  receiver?: CallbackReceiver
  /** Time limit for each message, if the connection does not set one. */
  timeoutMs?: number
}

const maxConnections = 40 // maximum number of sockets from the connector under test to the proxy
const defaultTimeoutMs = 10_000 // time limit for a message from the connector under test, unless its connection sets a different limit

/** Opens the protocol's connector, with a proxy between the connector and the rail. */
export async function openTestBench(
  { connect, conformance = {} }: Protocol,
  connection: ConnectionFields,
  provider: Provider,
  { callbackUrl, receiver: own, timeoutMs: ownTimeoutMs, ...options }: StandOptions,
): Promise<TestBench & { close(): Promise<void> }> {
  const timeoutMs = ownTimeoutMs ?? connection.timeoutMs ?? defaultTimeoutMs
  const [currency = ''] = provider.currencies
  const receiver = own ?? (await startReceiver())
  const proxy = await startProxy(connection.baseUrl)
  // The origin of the rail's pages is unchanged, because only messages go through the proxy.
  const original = connect({ ...connection, timeoutMs }, provider, createPeer(1))
  const page = original.pageOrigin === undefined ? {} : { pageOrigin: original.pageOrigin }
  await original.close()
  const fields = { ...connection, ...page, baseUrl: proxy.baseUrl, timeoutMs }
  const connector = connect(fields, provider, createPeer(maxConnections))
  return {
    ...options,
    connector,
    conformance,
    noProof: whyUnproven(connection, conformance, callbackUrl),
    proxy,
    receiver,
    currency,
    callbackUrl: callbackUrl ?? `${receiver.url}/rail-test`,
    seen: nothingSeen(),
    async close() {
      // The proxy is closed first, which ends all calls for which the connector is still waiting.
      proxy.close()
      await connector.close()
      if (!own) receiver.close()
    },
  }
}

function whyUnproven(
  connection: ConnectionFields,
  { provesReports, provesReportsByAddress }: Conformance,
  callbackUrl: string | undefined,
): string | undefined {
  if (!provesReports?.(connection))
    return 'the connection cannot authenticate reports, so it never trusts them'
  if (provesReportsByAddress && callbackUrl !== undefined)
    return 'reports are authenticated by their source address, which --callback-url hides'
  return undefined
}

/**
 * Checks whether test cases can be run with the rail. If not, returns the reason; otherwise, returns
 * `undefined`. Submits nothing.
 */
export async function findRailIssue(
  { baseUrl, timeoutMs = defaultTimeoutMs }: ConnectionFields,
  stand: TestBench,
): Promise<string | undefined> {
  const peer = createPeer(1)
  try {
    await send(peer, { method: 'GET', url: baseUrl, timeoutMs, answerBytes: 1 })
  } catch (error) {
    if (error instanceof NoAnswer) return `The rail at ${baseUrl} cannot be reached: ${error.message}.`
    throw error
  } finally {
    await peer.destroy()
  }
  const { paying = null } = stand.accounts
  const queried = await queryOf(stand, neverSubmitted(stand, paying))
  return isUnauthorized(queried)
    ? `The rail at ${baseUrl} does not accept the connection’s credentials: ${describeOutcomes(queried)}.`
    : undefined
}
