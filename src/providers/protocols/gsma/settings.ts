import Type, { type Static } from 'typebox'
import { basicUser, commonFields, paceFields, secret } from '../../connection-fields.ts'

/** The standard's identifiers by which our own account can be named. */
const merchantKeys = ['accountid', 'organisationid'] as const

/** Fields of a connection to one wallet that uses the GSMA's Mobile Money API: either `apiKey` or `oauth`. */
export const gsmaFields = {
  ...commonFields,
  ...paceFields,
  /** Our account with the wallet, which receives collections and pays payouts. */
  merchant: Type.Object(
    {
      key: Type.Enum(merchantKeys),
      value: Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$' }), // length of our account number at a wallet
    },
    { additionalProperties: false },
  ),
  apiKey: Type.Optional(secret),
  /** Sent in addition to `apiKey` or `oauth`. */
  clientId: Type.Optional(secret),
  /** Client credentials. `path` is where tokens are issued, relative to `baseUrl`. */
  oauth: Type.Optional(
    Type.Object(
      {
        key: basicUser,
        secret,
        path: Type.Optional(Type.String({ pattern: '^(/[A-Za-z0-9._-]{1,50}){1,5}$' })),
      },
      { additionalProperties: false },
    ),
  ),
}

export type GsmaConnection = Readonly<Static<Type.TObject<typeof gsmaFields>>>

export type GsmaSettings = Pick<GsmaConnection, 'baseUrl' | 'merchant' | 'apiKey' | 'clientId' | 'oauth'> & {
  /** Currency of a balance that does not state one. */
  currency: string | undefined
  /** Per message. */
  timeoutMs: number
}
