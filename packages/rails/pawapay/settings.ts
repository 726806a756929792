import { commonFields, paceFields } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'

const pem = Type.String({ minLength: 1, maxLength: 4_000 }) // maximum length of a connection's key in PEM format
const keyIdPattern = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$'

/** The fields of a connection to pawaPay, which uses one account for all the providers that it reaches. */
export const pawapayFields = {
  ...commonFields,
  ...paceFields,
  /** The token that is sent in a header. It is longer than most secrets, because it is a JSON Web Token. */
  token: Type.String({ pattern: '^[\\x21-\\x7e]{1,2000}$' }),
  /** Origin of the page on which Wave payers authorize payments. Payers are never redirected to another origin. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /**
   * Origin of statement files, if it differs from that of `baseUrl`. Files are never downloaded from another
   * origin.
   */
  statementOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /**
   * Keys for authenticating callbacks: either those that pawaPay publishes, or keys set here, by key id.
   * Without keys, callbacks are only hints.
   */
  callbackKeys: Type.Optional(
    Type.Union([
      Type.Literal('published'),
      Type.Record(Type.String({ pattern: keyIdPattern }), pem, { minProperties: 1, maxProperties: 10 }),
    ]),
  ),
  /** The key with which we sign our requests, and its id in pawaPay's dashboard. */
  signingKey: Type.Optional(pem),
  signingKeyId: Type.Optional(Type.String({ pattern: keyIdPattern })),
}

/** `missingAfterMs` is used only with the simulator; operators cannot set it. */
export type PawapayConnection = Readonly<Static<Type.TObject<typeof pawapayFields>>> & {
  missingAfterMs?: number
}
