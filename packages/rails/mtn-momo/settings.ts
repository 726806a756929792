import { basicUser, commonFields, paceFields, secret } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'

const credentials = Type.Object(
  { subscriptionKey: secret, apiUser: basicUser, apiKey: secret },
  { additionalProperties: false },
)
export type Credentials = Static<typeof credentials>

/** The fields of a connection to one of MTN MoMo's markets, or to a system that uses the same protocol. */
export const mtnFields = {
  ...commonFields,
  ...paceFields,
  /** MTN's name for the market, such as `mtnghana` or `mtnuganda`, or `sandbox`. */
  targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
  collection: credentials,
  /** The credentials for disbursements, which are a separate MTN product. Without them, payouts are disabled. */
  disbursement: Type.Optional(credentials),
  sandboxCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof mtnFields>>>

/** `tokenTimeoutMs` is used only with the simulator; operators cannot set it. */
export type MtnMomoConnection = OperatorsConnection & { tokenTimeoutMs?: number }

export type MtnMomoSettings = Pick<
  OperatorsConnection,
  'baseUrl' | 'targetEnvironment' | 'collection' | 'disbursement'
> & {
  /**
   * For MTN's sandbox, which accepts only one currency (EUR). Amounts are sent in that currency with the same
   * number of minor units, and read back in the provider's own `currency`. Never use this for real money.
   */
  sandboxCurrency?: { sent: string; currency: string }
  /** Time limit for each HTTP message. A call takes up to four messages if its token has to be replaced. */
  timeoutMs: number
  /** Time limit for requesting a token, which may take longer than any other call. */
  tokenTimeoutMs: number
}

/** Collections and disbursements are separate MTN products, each with its own URLs, credentials and tokens. */
export type ProductName = 'collection' | 'disbursement'
