import Type, { type Static } from 'typebox'
import { basicUser, commonFields, paceFields, secret } from '../../connection-fields.ts'

/** Which of the standard's identifiers says where our own account is. */
const merchantKeys = ['accountid', 'organisationid'] as const

/** Of a connection to one wallet that speaks the GSMA's Mobile Money API: either `apiKey` or `oauth`. */
export const gsmaFields = {
  ...commonFields,
  ...paceFields,
  /** Our account there: what is collected goes to it, and what is paid out comes from it. */
  merchant: Type.Object(
    {
      key: Type.Enum(merchantKeys),
      value: Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$' }), // limit: the number of our account at a wallet
    },
    { additionalProperties: false },
  ),
  apiKey: Type.Optional(secret),
  /** Beside either. */
  clientId: Type.Optional(secret),
  /** Client credentials; the path of its tokens, below `baseUrl`. */
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
  /** Of a balance that names none. */
  currency: string | undefined
  /** For each message. */
  timeoutMs: number
}
