import Type, { type Static } from 'typebox'
import { minorDigits } from '../countries/money.ts'
import type { Provider } from './provider.ts'

const strict = { additionalProperties: false } as const
/** What can stand in a header. */
const secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })

const mtnMomoShape = Type.Object(
  {
    protocol: Type.Literal('mtn-momo'),
    baseUrl: Type.String({ maxLength: 255 }),
    targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
    collection: Type.Object({ subscriptionKey: secret, apiUser: secret, apiKey: secret }, strict),
    sandboxCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
  },
  strict,
)

export const connectionsShape = Type.Record(Type.String(), mtnMomoShape, { maxProperties: 1000 })

/** How the operator reaches a real rail. */
export type Connection = Readonly<Static<typeof mtnMomoShape>>

/** What is wrong with a connection beyond its shape, never showing a value of it; `undefined` when nothing is. */
export function connectionFault(connection: Connection, provider: Provider | undefined): string | undefined {
  if (!provider) return 'there is no such provider'
  if (provider.protocol !== connection.protocol) return `protocol must be ${provider.protocol}`
  if (!isRailAddress(connection.baseUrl))
    return 'baseUrl must be an https address without credentials, query and slash at its end'
  const { sandboxCurrency, targetEnvironment } = connection
  if (sandboxCurrency === undefined) return undefined
  // Anywhere else it would take payers' money in a currency they were not asked for.
  if (targetEnvironment !== 'sandbox') return 'sandboxCurrency is for the targetEnvironment sandbox only'
  if (provider.currencies.length !== 1) return 'sandboxCurrency needs a provider of one currency'
  return isCurrency(sandboxCurrency) ? undefined : 'sandboxCurrency is not a currency'
}

/** Credentials travel there: in the clear only to this machine itself. */
function isRailAddress(address: string): boolean {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.search || url.hash || address.endsWith('/')) return false
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)
}

function isCurrency(code: string): boolean {
  try {
    return minorDigits(code) >= 0
  } catch {
    return false
  }
}
