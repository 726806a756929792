import { commonFields, paceFields, secret } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'

/** The fields of a connection to Airtel Money Africa in one country. */
export const airtelFields = {
  ...commonFields,
  ...paceFields,
  clientId: secret,
  clientSecret: secret,
  /** Whether to sign and encrypt messages that move money, which some countries require. */
  signsMessages: Type.Optional(Type.Boolean()),
  /** The PIN of the account that pays out. Without it, payouts are disabled. */
  pin: Type.Optional(Type.String({ pattern: '^[0-9]{4,8}$' })),
  /** The padding used to encrypt the PIN. */
  pinPadding: Type.Optional(Type.Enum(['pkcs1', 'oaep'])),
  /** The API version for disbursements. The default is 2 if messages are signed, otherwise 1. */
  disbursementVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  /** The key from Airtel's portal that authenticates its callbacks. Without it, callbacks are only hints. */
  callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{16,200}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof airtelFields>>>

/** The two times are used only with the simulator; operators cannot set them. */
export type AirtelConnection = OperatorsConnection & { firstQueryMs?: number; missingAfterMs?: number }

export type AirtelSettings = AirtelConnection & {
  /** Time limit for each HTTP message. A call takes up to sixteen messages. */
  timeoutMs: number
  /** The country of the phone numbers, as an ISO 3166-1 alpha-2 code. */
  country: string
  /** ISO 4217 codes. Calls without a currency use the first one. */
  currencies: readonly string[]
}
