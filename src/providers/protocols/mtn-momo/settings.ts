import Type, { type Static } from 'typebox'
import { basicUser, commonFields, paceFields, secret } from '../../connection-fields.ts'

const credentials = Type.Object(
  { subscriptionKey: secret, apiUser: basicUser, apiKey: secret },
  { additionalProperties: false },
)
export type Credentials = Static<typeof credentials>

/** Fields of a connection to one market of MTN MoMo, or to a system that speaks its protocol. */
export const mtnFields = {
  ...commonFields,
  ...paceFields,
  /** `mtnghana`, `mtnuganda`, …, or `sandbox`. */
  targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
  collection: credentials,
  /** A separate MTN product with its own credentials; without them, payouts are disabled. */
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
   * MTN's sandbox accepts only one currency (EUR): amounts are sent in it, minor unit for minor unit, and read
   * back as the provider's own `currency`. Never for real money.
   */
  sandboxCurrency?: { sent: string; currency: string }
  /** Per HTTP message; a call takes up to four of them if its token has to be replaced. */
  timeoutMs: number
  /** For requesting a token, which may take longer than any other call. */
  tokenTimeoutMs: number
}

/** Money in and money out are separate MTN products, each with its own URLs, credentials and tokens. */
export type ProductName = 'collection' | 'disbursement'
