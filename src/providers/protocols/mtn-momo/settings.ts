import Type, { type Static } from 'typebox'
import { basicUser, commonFields, paceFields, secret } from '../../connection-fields.ts'

const credentials = Type.Object(
  { subscriptionKey: secret, apiUser: basicUser, apiKey: secret },
  { additionalProperties: false },
)
export type Credentials = Static<typeof credentials>

/** Fields of a connection to one of MTN MoMo's markets, or to a system that uses its protocol. */
export const mtnFields = {
  ...commonFields,
  ...paceFields,
  /** `mtnghana`, `mtnuganda`, …, or `sandbox`. */
  targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
  collection: credentials,
  /** A separate MTN product with its own credentials. Without them, payouts are disabled. */
  disbursement: Type.Optional(credentials),
  sandboxCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof mtnFields>>>

/** `tokenTimeoutMs` is only for the simulator; operators cannot set it. */
export type MtnMomoConnection = OperatorsConnection & { tokenTimeoutMs?: number }

export type MtnMomoSettings = Pick<
  OperatorsConnection,
  'baseUrl' | 'targetEnvironment' | 'collection' | 'disbursement'
> & {
  /**
   * MTN's sandbox accepts only one currency (EUR). Amounts are sent in it, minor unit for minor unit, and read
   * back in the provider's own `currency`. Never for real money.
   */
  sandboxCurrency?: { sent: string; currency: string }
  /** Per HTTP message. A call takes up to four messages if its token has to be replaced. */
  timeoutMs: number
  /** Time limit for requesting a token, which may take longer than any other call. */
  tokenTimeoutMs: number
}

/** Money in and money out are separate MTN products, each with its own URLs, credentials and tokens. */
export type ProductName = 'collection' | 'disbursement'
