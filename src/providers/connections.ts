import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { type ConnectionFields, isRailAddress } from './connection-fields.ts'
import { protocolNames, protocolOf, protocols } from './protocols/protocols.ts'
import type { Provider } from './provider.ts'

/** How the operator reaches a real rail, with a name chosen by the operator. */
export type ProviderConnection = ConnectionFields & {
  readonly name: string
  readonly protocol: string
  /** Present if any of the connection's secrets are stored in files. */
  readonly files?: SecretFiles
}

/** Secrets of a connection stored in files, read when used. */
export type SecretFiles = {
  /** The connection as written by the operator, with file names. */
  written: object
  paths: string[]
  /** The connection with the first values and, if any file has two, with the second values. */
  read(): { first: ProviderConnection; second: ProviderConnection | undefined }
  /** Changes when any of the files changes. */
  version(): string
}

/** The ids of the providers that a connection reaches. */
export const providersOf = ({ name, providers = [name] }: Pick<ProviderConnection, 'name' | 'providers'>) =>
  providers

/** Schema shared by all connections; the full schema depends on the protocol. */
export const connectionsShape = Type.Record(
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  Type.Object({ protocol: Type.Enum(protocolNames) }),
  { maxProperties: 1000 },
)

/** Connection schemas by protocol name. */
export const connectionShapes = new Map(
  protocols.map(({ name, fields }) => [
    name,
    Compile(Type.Object({ protocol: Type.Literal(name), ...fields }, { additionalProperties: false })),
  ]),
)

/** Describes an error in the shares of a provider's connections; `undefined` if there is none. */
export function findShareIssue(
  providerId: string,
  connections: readonly ProviderConnection[],
): string | undefined {
  const open = connections.filter(({ status }) => status !== 'closed')
  const sum = open.reduce((shares, { share = 0 }) => shares + share, 0)
  if (sum > 100) return `the shares of ${providerId} add up to ${sum} %`
  const leavesSome = sum < 100 && open.length > 0 && open.every(({ share }) => share !== undefined)
  return leavesSome
    ? `the shares of ${providerId} add up to ${sum} %; leave the share of one connection unset so that it takes the rest`
    : undefined
}

/** Describes an error that the schema does not catch, without showing values; `undefined` if there is none. */
export function findConnectionIssue(
  connection: ProviderConnection,
  provider: Provider | undefined,
): string | undefined {
  if (!provider) return 'there is no such provider'
  const { providerId, protocol, reachedBy = [] } = provider
  const spoken = [protocol, ...reachedBy.map((each) => each.protocol)]
  if (!spoken.includes(connection.protocol))
    return `protocol must be ${spoken.join(' or ')} for ${providerId}`
  if (!isRailAddress(connection.baseUrl))
    return 'baseUrl must be an https URL without credentials, query or trailing slash'
  return protocolOf(connection).findIssue?.(connection, provider)
}
