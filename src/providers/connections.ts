import Type, { type Static } from 'typebox'
import { minorDigits } from '../countries/money.ts'
import { flows } from './protocols/rest/settings.ts'
import type { Provider } from './provider.ts'

const strict = { additionalProperties: false } as const
/** What can stand in a header. */
const secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })

const credentials = Type.Object({ subscriptionKey: secret, apiUser: secret, apiKey: secret }, strict)

/** How fast the provider may be asked to pay out, by one node. */
const pace = {
  maxPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })), // limit: calls to a rail begun in a second, by its connection
  maxAtOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })), // limit: calls to a rail at once, by its connection
}

/** How fast it may be asked to collect. */
const collections = Type.Optional(Type.Object(pace, strict))

const mtnMomoShape = Type.Object(
  {
    protocol: Type.Literal('mtn-momo'),
    baseUrl: Type.String({ maxLength: 255 }),
    targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
    collection: credentials,
    /** Another product of MTN's, with credentials of its own: without them nothing is paid out. */
    disbursement: Type.Optional(credentials),
    ...pace,
    sandboxCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
    collections,
  },
  strict,
)

const railFields = {
  baseUrl: Type.String({ maxLength: 255 }),
  key: secret,
  /** Where the rail's pages stand, when that is not where its messages go. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })), // limit: time for a message to a rail, by its connection
  collections,
}

const restShape = Type.Object(
  {
    protocol: Type.Literal('rest'),
    ...railFields,
    ...pace,
    flow: Type.Optional(Type.Enum(flows)),
    /** Money is booked on its word alone: as long as what it proves. */
    callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{32,200}$' })),
    statesAmounts: Type.Optional(Type.Boolean()),
  },
  strict,
)

const acquirerShape = Type.Object({ protocol: Type.Literal('acquirer'), ...railFields }, strict)

/** What can be said of connections at once; the shape of each is that of its protocol. */
export const connectionsShape = Type.Record(
  Type.String(),
  Type.Object({ protocol: Type.Enum(['mtn-momo', 'rest', 'acquirer']) }),
  { maxProperties: 1000 },
)

export const connectionShapes = { 'mtn-momo': mtnMomoShape, rest: restShape, acquirer: acquirerShape }

export type MtnMomoConnection = Readonly<Static<typeof mtnMomoShape>>
export type RestConnection = Readonly<Static<typeof restShape>>
export type AcquirerConnection = Readonly<Static<typeof acquirerShape>>

/** How the operator reaches a real rail. */
export type Connection = MtnMomoConnection | RestConnection | AcquirerConnection

/** What is wrong with a connection beyond its shape, never showing a value of it; `undefined` when nothing is. */
export function connectionFault(connection: Connection, provider: Provider | undefined): string | undefined {
  if (!provider) return 'there is no such provider'
  if (provider.protocol !== connection.protocol) return `protocol must be ${provider.protocol}`
  if (!isRailAddress(connection.baseUrl))
    return 'baseUrl must be an https address without credentials, query and slash at its end'
  return connection.protocol === 'mtn-momo'
    ? sandboxFault(connection, provider)
    : pageFault(connection.pageOrigin)
}

function pageFault(pageOrigin: string | undefined): string | undefined {
  if (pageOrigin === undefined) return undefined
  return isRailAddress(pageOrigin) && URL.parse(pageOrigin)?.origin === pageOrigin
    ? undefined
    : 'pageOrigin must be an https origin, like https://pay.bank.example'
}

function sandboxFault(
  { sandboxCurrency, targetEnvironment }: MtnMomoConnection,
  provider: Provider,
): string | undefined {
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
