import Type, { type Static } from 'typebox'
import { commonFields, paceFields, secret } from '../../connection-fields.ts'

/** Goes before a colon into a header, and so has none. */
const user = Type.String({ pattern: '^[\\x21-\\x39\\x3b-\\x7e]{1,200}$' })

const credentials = Type.Object(
  { subscriptionKey: secret, apiUser: user, apiKey: secret },
  { additionalProperties: false },
)
export type Credentials = Static<typeof credentials>

/** Of a connection to one market of MTN MoMo, or to something that speaks its protocol. */
export const mtnFields = {
  ...commonFields,
  ...paceFields,
  /** `mtnghana`, `mtnuganda`, …, or `sandbox`. */
  targetEnvironment: Type.String({ pattern: '^[a-z0-9]{1,64}$' }),
  collection: credentials,
  /** Another product of MTN's, with credentials of its own: without them nothing is paid out. */
  disbursement: Type.Optional(credentials),
  sandboxCurrency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof mtnFields>>>

/** `tokenTimeoutMs` is the simulator's only: no field of an operator's connection. */
export type MtnMomoConnection = OperatorsConnection & { tokenTimeoutMs?: number }

export type MtnMomoSettings = Pick<
  OperatorsConnection,
  'baseUrl' | 'targetEnvironment' | 'collection' | 'disbursement'
> & {
  /**
   * MTN's sandbox takes one currency only (EUR): amounts are sent in it, minor unit for minor unit, and read back as
   * the provider's own `currency`. Never for real money.
   */
  sandboxCurrency?: { sent: string; currency: string }
  /** For each HTTP message; a call takes up to four of them when its token has to be replaced. */
  timeoutMs: number
  /** For a token, which may take longer than anything else. */
  tokenTimeoutMs: number
}

/** Money in and money out are two products of MTN's, each with addresses, credentials and tokens of its own. */
export type ProductName = 'collection' | 'disbursement'
