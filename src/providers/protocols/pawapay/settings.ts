import Type, { type Static } from 'typebox'
import { commonFields, paceFields } from '../../connection-fields.ts'

const pem = Type.String({ minLength: 1, maxLength: 4_000 }) // length of a connection's key in PEM
const keyIdPattern = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$'

/** Fields of a connection to pawaPay: one account, however many providers it reaches. */
export const pawapayFields = {
  ...commonFields,
  ...paceFields,
  /** Sent in a header; longer than most, because it is a JSON Web Token. */
  token: Type.String({ pattern: '^[\\x21-\\x7e]{1,2000}$' }),
  /** Origin of the page on which Wave payers authorize; payers are never redirected elsewhere. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /** Origin of statement files, if not `baseUrl`; they are downloaded from nowhere else. */
  statementOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /**
   * Keys for authenticating callbacks: those that pawaPay publishes, or these, by id. Without keys, callbacks
   * are only hints.
   */
  callbackKeys: Type.Optional(
    Type.Union([
      Type.Literal('published'),
      Type.Record(Type.String({ pattern: keyIdPattern }), pem, { minProperties: 1, maxProperties: 10 }),
    ]),
  ),
  /** The key that signs our requests, and its id in pawaPay's dashboard. */
  signingKey: Type.Optional(pem),
  signingKeyId: Type.Optional(Type.String({ pattern: keyIdPattern })),
}

/** `missingAfterMs` is only for the simulator; operators cannot set it. */
export type PawapayConnection = Readonly<Static<Type.TObject<typeof pawapayFields>>> & {
  missingAfterMs?: number
}
