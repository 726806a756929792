import Type, { type Static } from 'typebox'
import { commonFields, paceFields } from '../../connection-fields.ts'
import type { Provider } from '../../provider.ts'

/** Fields of a connection to a Paystack integration. */
export const paystackFields = {
  ...commonFields,
  ...paceFields,
  /** Authenticates our requests; Paystack also signs its reports with it. */
  secretKey: Type.String({ pattern: '^sk_(live|test)_[\\x21-\\x7e]{16,190}$' }),
  /** Origin of Paystack's card page; payers are never redirected elsewhere. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /** Domain of the payers' placeholder email addresses: `<reference>@payers.example`. */
  emailDomain: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){1,4}$' })),
  /**
   * Paystack's units per franc. The public documentation does not say, and a wrong guess would be off by a
   * factor of 100.
   */
  unitsPerFranc: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(100)])),
  /** Code for transfers and look-ups: a bank's, or that of a wallet whose code is not its name in capitals. */
  bankCode: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,20}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof paystackFields>>>
/** `missingAfterMs` is only for the simulator; operators cannot set it. */
export type PaystackConnection = OperatorsConnection & { missingAfterMs?: number }

export type PaystackSettings = Pick<PaystackConnection, 'baseUrl' | 'secretKey' | 'bankCode'> &
  Required<Pick<PaystackConnection, 'pageOrigin' | 'emailDomain' | 'timeoutMs'>> & {
    missingAfterMs: number
    unitsPerFranc: 1 | 100 | undefined
    type: Provider['type']
    country: string
    /** The provider's first currency. */
    currency: string
    /** Paystack's name for the provider: `mtn`, or the number in a bank's USSD code; none for cards. */
    as: string | undefined
  }
