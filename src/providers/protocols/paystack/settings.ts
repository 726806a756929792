import Type, { type Static } from 'typebox'
import { commonFields, paceFields } from '../../connection-fields.ts'
import type { Provider } from '../../provider.ts'

/** Of a connection to an integration of Paystack's. */
export const paystackFields = {
  ...commonFields,
  ...paceFields,
  /** With which we prove ourselves, and with which Paystack signs its reports. */
  secretKey: Type.String({ pattern: '^sk_(live|test)_[\\x21-\\x7e]{16,190}$' }),
  /** Where Paystack's page for cards stands: a payer is sent to no other origin. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /** Of the addresses that payers without one are called by: `<reference>@payers.example`. */
  emailDomain: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63}){1,4}$' })),
  /** What Paystack counts a franc as: public documents do not settle it, and a guess would be out by a hundred. */
  unitsPerFranc: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(100)])),
  /** Of transfers and look-ups: of a bank, or of a wallet whose code is another than its name in capitals. */
  bankCode: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{1,20}$' })),
}
type OperatorsConnection = Readonly<Static<Type.TObject<typeof paystackFields>>>
/** `missingAfterMs` is the simulator's only: no field of an operator's connection. */
export type PaystackConnection = OperatorsConnection & { missingAfterMs?: number }

export type PaystackSettings = Pick<PaystackConnection, 'baseUrl' | 'secretKey' | 'bankCode'> &
  Required<Pick<PaystackConnection, 'pageOrigin' | 'emailDomain' | 'timeoutMs'>> & {
    missingAfterMs: number
    unitsPerFranc: 1 | 100 | undefined
    type: Provider['type']
    country: string
    /** The first that the provider takes. */
    currency: string
    /** As Paystack calls the provider: `mtn`, or the number of a bank's dial string; none for a card. */
    as: string | undefined
  }
