import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { type ConnectionFields, isRailAddress } from './connection-fields.ts'
import { protocolNames, protocolOf, protocols } from './protocols/protocols.ts'
import type { Provider } from './provider.ts'

/** How the operator reaches a real rail. */
export type ProviderConnection = ConnectionFields & { readonly protocol: string }

/** Of all connections; the shape of each depends on its protocol. */
export const connectionsShape = Type.Record(
  Type.String(),
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

/** What is wrong with a connection beyond its shape, never showing a value of it; `undefined` when nothing is. */
export function connectionFault(
  connection: ProviderConnection,
  provider: Provider | undefined,
): string | undefined {
  if (!provider) return 'there is no such provider'
  if (provider.protocol !== connection.protocol) return `protocol must be ${provider.protocol}`
  if (!isRailAddress(connection.baseUrl))
    return 'baseUrl must be an https address without credentials, query and slash at its end'
  return protocolOf(connection).faultOf?.(connection, provider)
}
