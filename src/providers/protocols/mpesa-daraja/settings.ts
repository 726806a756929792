import Type, { type Static } from 'typebox'
import { commonFields, paceFields, secret } from '../../connection-fields.ts'
import type { Provider } from '../../provider.ts'
import { encryptionKeyOf } from './security-credential.ts'
import { addressFault } from './source-addresses.ts'

const shortCode = Type.String({ pattern: '^[0-9]{5,7}$' })

/** How Safaricom classes a payout. `PromotionPayment` is for registered customers only. */
const commands = ['BusinessPayment', 'SalaryPayment', 'PromotionPayment'] as const

const payouts = Type.Object(
  {
    /** Whose utility account pays. */
    shortCode,
    /** The API operator: roles B2C and transaction status. */
    initiatorName: secret,
    initiatorPassword: secret,
    /** Safaricom's, for this environment: PEM, or its base64 alone. */
    certificate: Type.String({ minLength: 1, maxLength: 10_000 }), // limit: a certificate of Safaricom’s
    command: Type.Optional(Type.Enum(commands)),
    /** Safaricom lets this service look up names. */
    checksNames: Type.Optional(Type.Boolean()),
    /** The API operator may reverse, too: payments go back whole by their own transaction. */
    reverses: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/** Payments by hand to the PayBill (C2B). */
const bills = Type.Object(
  {
    /** What Safaricom does with a payment where it cannot ask us first. */
    whenUnreachable: Type.Optional(Type.Enum(['Completed', 'Cancelled'])),
    /** Registered for the pull of transactions, `2547…`: missed notices are found there. */
    pullNumber: Type.Optional(Type.String({ pattern: '^254[17][0-9]{8}$' })),
  },
  { additionalProperties: false },
)

/** Of a connection to one business of M-Pesa's. */
export const darajaFields = {
  ...commonFields,
  ...paceFields,
  consumerKey: secret,
  consumerSecret: secret,
  /** The PayBill; of a till the store or head office. */
  shortCode,
  passkey: secret,
  /** Where the money goes, for goods: without one it goes to the PayBill. */
  till: Type.Optional(shortCode),
  /** Without these nobody is notified of payments by hand. */
  bills: Type.Optional(bills),
  /** Without these nothing is paid out. */
  payouts: Type.Optional(payouts),
  /** From where Safaricom reports, one by one or as a network; those that it publishes where there are none. */
  callbackAddresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
  ), // limit: addresses from which a rail reports
}

export type DarajaConnection = Readonly<Static<Type.TObject<typeof darajaFields>>>
export type DarajaSettings = DarajaConnection & {
  /** For each HTTP message; a call takes up to four of them when its token has to be replaced. */
  timeoutMs: number
}
export type DarajaPayouts = Readonly<Static<typeof payouts>>
export type DarajaBills = Readonly<Static<typeof bills>>

export function darajaFault(connection: DarajaConnection, { currencies }: Provider): string | undefined {
  if (currencies.join() !== 'KES') return 'this protocol moves KES only'
  if (connection.payouts && !encryptionKeyOf(connection.payouts.certificate))
    return 'payouts.certificate is not an X.509 certificate with an RSA key'
  if (connection.bills && connection.till !== undefined)
    return 'bills are paid to a PayBill, and till is a number without account references'
  const index = (connection.callbackAddresses ?? []).findIndex(addressFault)
  return index < 0 ? undefined : `callbackAddresses[${index}] is neither an address nor a network`
}
