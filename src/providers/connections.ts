import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { type ConnectionFields, isRailAddress } from './connection-fields.ts'
import { protocolNames, protocolOf, protocols } from './protocols/protocols.ts'
import type { Provider } from './provider.ts'

/** How the operator reaches a real rail, by a name of their own. */
export type ProviderConnection = ConnectionFields & {
  readonly name: string
  readonly protocol: string
  /** Where some of its secrets stand in files. */
  readonly files?: SecretFiles
}

/** Secrets of a connection, read when they are used. */
export type SecretFiles = {
  /** The connection as the operator wrote it, with the names of the files. */
  written: object
  paths: string[]
  /** With the first values, and with the second where there are any. */
  read(): { first: ProviderConnection; second: ProviderConnection | undefined }
  /** Something else as soon as a file has changed. */
  version(): string
}

/** By their ids. */
export const providersOf = ({ name, providers = [name] }: Pick<ProviderConnection, 'name' | 'providers'>) =>
  providers

/** Of all connections; the shape of each depends on its protocol. */
export const connectionsShape = Type.Record(
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  Type.Object({ protocol: Type.Enum(protocolNames) }),
  { maxProperties: 1000 },
)

/** By the protocol's name. */
export const connectionShapes = new Map(
  protocols.map(({ name, fields }) => [
    name,
    Compile(Type.Object({ protocol: Type.Literal(name), ...fields }, { additionalProperties: false })),
  ]),
)

/** What is wrong with the shares of a provider's connections; `undefined` when nothing is. */
export function shareFault(
  providerId: string,
  connections: readonly ProviderConnection[],
): string | undefined {
  const open = connections.filter(({ status }) => status !== 'closed')
  const sum = open.reduce((shares, { share = 0 }) => shares + share, 0)
  if (sum > 100) return `the shares of ${providerId} come to ${sum} %`
  const leavesSome = sum < 100 && open.length > 0 && open.every(({ share }) => share !== undefined)
  return leavesSome
    ? `the shares of ${providerId} come to ${sum} %: one connection needs to have none, and takes the rest`
    : undefined
}

/** What is wrong with a connection beyond its shape, never showing a value of it; `undefined` when nothing is. */
export function connectionFault(
  connection: ProviderConnection,
  provider: Provider | undefined,
): string | undefined {
  if (!provider) return 'there is no such provider'
  const { providerId, protocol, reachedBy = [] } = provider
  const spoken = [protocol, ...reachedBy.map((each) => each.protocol)]
  if (!spoken.includes(connection.protocol))
    return `protocol must be ${spoken.join(' or ')} for ${providerId}`
  if (!isRailAddress(connection.baseUrl))
    return 'baseUrl must be an https address without credentials, query and slash at its end'
  return protocolOf(connection).faultOf?.(connection, provider)
}
