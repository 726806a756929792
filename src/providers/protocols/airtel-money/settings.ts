import Type, { type Static } from 'typebox'
import { commonFields, paceFields, secret } from '../../connection-fields.ts'

/** Fields of a connection to Airtel Money Africa in one country. */
export const airtelFields = {
  ...commonFields,
  ...paceFields,
  clientId: secret,
  clientSecret: secret,
  /** Signs and encrypts messages that move money, which some countries require. */
  signsMessages: Type.Optional(Type.Boolean()),
  /** PIN of the account that pays out. Without it, payouts are disabled. */
  pin: Type.Optional(Type.String({ pattern: '^[0-9]{4,8}$' })),
  /** Padding used to encrypt the PIN. */
  pinPadding: Type.Optional(Type.Enum(['pkcs1', 'oaep'])),
  /** API version for disbursements; by default 2 with signed messages and 1 without. */
  disbursementVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  /** The portal's key, with which Airtel authenticates its callbacks. Without it, callbacks are only hints. */
  callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{16,200}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof airtelFields>>>

/** The times are only for the simulator; operators cannot set them. */
export type AirtelConnection = OperatorsConnection & { firstQueryMs?: number; missingAfterMs?: number }

export type AirtelSettings = AirtelConnection & {
  /** Per HTTP message. A call takes up to sixteen messages. */
  timeoutMs: number
  /** Country of the phones, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** ISO 4217 codes; calls without a currency use the first. */
  currencies: readonly string[]
}
