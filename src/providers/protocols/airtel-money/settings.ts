import Type, { type Static } from 'typebox'
import { commonFields, paceFields, secret } from '../../connection-fields.ts'

/** Of a connection to one country of Airtel Money Africa. */
export const airtelFields = {
  ...commonFields,
  ...paceFields,
  clientId: secret,
  clientSecret: secret,
  /** Whether messages that move money are signed and encrypted: some countries insist on it. */
  signsMessages: Type.Optional(Type.Boolean()),
  /** Of the account that pays out: without it nothing is. */
  pin: Type.Optional(Type.String({ pattern: '^[0-9]{4,8}$' })),
  /** How the PIN is encrypted. */
  pinPadding: Type.Optional(Type.Enum(['pkcs1', 'oaep'])),
  /** Of the disbursements' address, where it is not 2 with and 1 without signed messages. */
  disbursementVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  /** The portal's, with which Airtel proves its callbacks; without it they only make us query. */
  callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{16,200}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof airtelFields>>>

/** The times are the simulator's only: no fields of an operator's connection. */
export type AirtelConnection = OperatorsConnection & { firstQueryMs?: number; missingAfterMs?: number }

export type AirtelSettings = AirtelConnection & {
  /** For each HTTP message; a call takes up to sixteen of them. */
  timeoutMs: number
  /** Where the phones are, ISO 3166-1 alpha-2. */
  country: string
  /** ISO 4217, the first for what has none. */
  currencies: readonly string[]
}
