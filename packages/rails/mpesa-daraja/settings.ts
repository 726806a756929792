import { commonFields, type Provider, paceFields, secret } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'
import { encryptionKeyOf } from './security-credential.ts'
import { addressFault } from './source-addresses.ts'

const shortCode = Type.String({ pattern: '^[0-9]{5,7}$' })

/** Safaricom's payout types. `PromotionPayment` is for registered customers only. */
const commands = ['BusinessPayment', 'SalaryPayment', 'PromotionPayment'] as const

const payouts = Type.Object(
  {
    /** The shortcode whose utility account funds payouts. */
    shortCode,
    /** The API operator, which must have the B2C and transaction status roles. */
    initiatorName: secret,
    initiatorPassword: secret,
    /** Safaricom's certificate for this environment, as PEM or plain base64. */
    certificate: Type.String({ minLength: 1, maxLength: 10_000 }),
    command: Type.Optional(Type.Enum(commands)),
    /** Set if Safaricom allows this service to look up names. */
    checksNames: Type.Optional(Type.Boolean()),
    /** Set if the API operator may also reverse payments. A reversal refunds a payment in full. */
    reverses: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/** Manual payments to the PayBill (C2B). */
const bills = Type.Object(
  {
    /** Whether Safaricom completes or cancels a payment if it cannot reach us for validation. */
    whenUnreachable: Type.Optional(Type.Enum(['Completed', 'Cancelled'])),
    /**
     * The number, such as `2547…`, that is registered for pulling transactions to find payments whose
     * notifications were missed.
     */
    pullNumber: Type.Optional(Type.String({ pattern: '^254[17][0-9]{8}$' })),
  },
  { additionalProperties: false },
)

/** The fields of a connection to one M-Pesa business. */
export const darajaFields = {
  ...commonFields,
  ...paceFields,
  consumerKey: secret,
  consumerSecret: secret,
  /** The PayBill number or, for a till, the number of its store or head office. */
  shortCode,
  passkey: secret,
  /** The till (Buy Goods) that receives the money. If it is absent, the PayBill receives it. */
  till: Type.Optional(shortCode),
  /** Settings for manual payments. Without them, manual payments are not reported. */
  bills: Type.Optional(bills),
  /** Settings for payouts. Without them, payouts are disabled. */
  payouts: Type.Optional(payouts),
  /** Addresses or networks from which Safaricom sends its reports; defaults to those that Safaricom publishes. */
  callbackAddresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
  ), // maximum number of source addresses of a rail’s reports
}

export type DarajaConnection = Readonly<Static<Type.TObject<typeof darajaFields>>>
export type DarajaSettings = DarajaConnection & {
  /** Time limit for each HTTP message. A call takes up to four messages if its token has to be replaced. */
  timeoutMs: number
}
export type DarajaPayouts = Readonly<Static<typeof payouts>>
export type DarajaBills = Readonly<Static<typeof bills>>

export function findDarajaIssue(connection: DarajaConnection, { currencies }: Provider): string | undefined {
  if (currencies.join() !== 'KES') return 'this protocol supports only KES'
  if (connection.payouts && !encryptionKeyOf(connection.payouts.certificate))
    return 'payouts.certificate is not an X.509 certificate with an RSA key'
  if (connection.bills && connection.till !== undefined)
    return 'bills requires a PayBill, because a till has no account references'
  const index = (connection.callbackAddresses ?? []).findIndex(addressFault)
  return index < 0 ? undefined : `callbackAddresses[${index}] is not a valid address or network`
}
