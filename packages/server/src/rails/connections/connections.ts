import { type ConnectionFields, isRailAddress, type Provider } from '@pesewa/connector-kit'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { protocolNames, protocolOf, protocols } from './protocols.ts'

/** The operator's settings for a connection to a real rail. The operator also chooses its name. */
export type ProviderConnection = ConnectionFields & {
  readonly name: string
  readonly protocol: string
  /** Present if any of the connection's secrets is stored in a file. */
  readonly files?: SecretFiles
}

/** Secrets of a connection that are stored in files. The files are read when the secrets are needed. */
export type SecretFiles = {
  /** The connection as written by the operator, with file names instead of secrets. */
  written: object
  paths: string[]
  /**
   * Returns the connection with the first value of each file. If any file contains a second value, also returns
   * the connection with those second values.
   */
  read(): { first: ProviderConnection; second: ProviderConnection | undefined }
  /** Returns a string that changes whenever any of the files changes. */
  version(): string
}

/** Returns the ids of the providers that a connection reaches. */
export const providersOf = ({ name, providers = [name] }: Pick<ProviderConnection, 'name' | 'providers'>) =>
  providers

/** The schema that all connections have in common. The full schema depends on the protocol. */
export const connectionsShape = Type.Record(
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  Type.Object({ protocol: Type.Enum(protocolNames) }),
  { maxProperties: 1000 },
)

/** The compiled schemas of connections, by the name of the protocol. */
export const connectionShapes = new Map(
  protocols.map(({ name, fields }) => [
    name,
    Compile(Type.Object({ protocol: Type.Literal(name), ...fields }, { additionalProperties: false })),
  ]),
)

/** Describes what is wrong with the shares of a provider's connections; returns `undefined` if they are valid. */
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

/**
 * Describes an error that the schema does not detect, without showing values; returns `undefined` if there is
 * none.
 */
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
