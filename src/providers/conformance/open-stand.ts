import { createPeer } from '../../platform/outbound/outbound.ts'
import type { ConnectionFields } from '../connection-fields.ts'
import { protocolOf } from '../protocols/protocols.ts'
import type { Provider } from '../provider.ts'
import { type CallbackReceiver, startReceiver } from './callbacks.ts'
import { startProxy } from './proxy.ts'
import type { Stand } from './stand.ts'

type StandOptions = Pick<Stand, 'accounts' | 'amount' | 'wait'> & {
  /** Where the rail reaches the receiver, if not on loopback. */
  callbackUrl?: string
  receiver?: CallbackReceiver
  /** For each message. */
  timeoutMs?: number
}

const maxConnections = 20 // limit: connections from the connector under test to the proxy
const defaultTimeoutMs = 3_000 // limit: time for a message of the connector under test

/** The connector as its protocol makes it, with the proxy between it and its rail. */
export async function openStand(
  connection: ConnectionFields & { protocol: string },
  provider: Provider,
  { callbackUrl, receiver: own, timeoutMs = defaultTimeoutMs, ...options }: StandOptions,
): Promise<Stand & { close(): Promise<void> }> {
  const { connect, conformance = {} } = protocolOf(connection)
  const [currency = ''] = provider.currencies
  const receiver = own ?? (await startReceiver())
  const proxy = await startProxy(connection.baseUrl)
  // Pages stand where they stood: only messages go through the proxy.
  const original = connect({ ...connection, timeoutMs }, provider, createPeer(1))
  const page = original.pageOrigin === undefined ? {} : { pageOrigin: original.pageOrigin }
  await original.close()
  const fields = { ...connection, ...page, baseUrl: proxy.baseUrl, timeoutMs }
  const connector = connect(fields, provider, createPeer(maxConnections))
  return {
    ...options,
    connector,
    conformance,
    named: new Map(),
    proxy,
    currency,
    callbackUrl: callbackUrl ?? receiver.url,
    callbacksOf: (reference) => receiver.of(reference),
    async close() {
      await connector.close()
      proxy.close()
      if (!own) receiver.close()
    },
  }
}
