import { basicUser, commonFields, paceFields, secret } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'

/** The standard's types of identifiers that can be used for our own account. */
const merchantKeys = ['accountid', 'organisationid'] as const

/**
 * The fields of a connection to a wallet that uses the GSMA's Mobile Money API. Either `apiKey` or `oauth` must
 * be set.
 */
export const gsmaFields = {
  ...commonFields,
  ...paceFields,
  /** Our account with the wallet, which receives collections and funds payouts. */
  merchant: Type.Object(
    {
      key: Type.Enum(merchantKeys),
      value: Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$' }), // maximum length of our account number with a wallet
    },
    { additionalProperties: false },
  ),
  apiKey: Type.Optional(secret),
  /** The client id, which is sent in addition to `apiKey` or `oauth`. */
  clientId: Type.Optional(secret),
  /** OAuth client credentials. `path`, relative to `baseUrl`, is where tokens are issued. */
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
  /** The currency of a balance that is reported without one. */
  currency: string | undefined
  /** Time limit for each message. */
  timeoutMs: number
}
