import { commonFields, type Provider, paceFields } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'

/** The fields of a connection to a Paystack integration. */
export const paystackFields = {
  ...commonFields,
  ...paceFields,
  /** The key that authenticates our requests. Paystack also signs its reports with this key. */
  secretKey: Type.String({ pattern: '^sk_(live|test)_[\\x21-\\x7e]{16,190}$' }),
  /** Origin of Paystack's card page. Payers are never redirected to another origin. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /** Domain of the placeholder email addresses of payers: `<reference>@payers.example`. */
  emailDomain: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){1,4}$' })),
  /**
   * How many of Paystack's units make up a franc. The public documentation does not say, and if the value is
   * wrong, all amounts are off by a factor of 100.
   */
  unitsPerFranc: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(100)])),
  /**
   * The code for transfers and look-ups: that of a bank, or that of a wallet whose code is not its name in
   * capitals.
   */
  bankCode: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,20}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof paystackFields>>>
/** `missingAfterMs` is used only with the simulator; operators cannot set it. */
export type PaystackConnection = OperatorsConnection & { missingAfterMs?: number }

export type PaystackSettings = Pick<PaystackConnection, 'baseUrl' | 'secretKey' | 'bankCode'> &
  Required<Pick<PaystackConnection, 'pageOrigin' | 'emailDomain' | 'timeoutMs'>> & {
    missingAfterMs: number
    unitsPerFranc: 1 | 100 | undefined
    type: Provider['type']
    country: string
    /** The provider's first currency. */
    currency: string
    /**
     * Paystack's name for the provider, such as `mtn`, or the number in a bank's USSD code; `undefined` for
     * cards.
     */
    as: string | undefined
  }
