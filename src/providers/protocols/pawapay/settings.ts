import Type, { type Static } from 'typebox'
import { commonFields, paceFields } from '../../connection-fields.ts'

const pem = Type.String({ minLength: 1, maxLength: 4_000 }) // limit: a key of a connection, in PEM
const keyIdPattern = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$'

/** Of a connection to pawaPay: one account, whatever number of providers it reaches. */
export const pawapayFields = {
  ...commonFields,
  ...paceFields,
  /** It goes into a header, and is longer than most: a JSON Web Token. */
  token: Type.String({ pattern: '^[\\x21-\\x7e]{1,2000}$' }),
  /** Where payers of Wave authorise: they are sent to no other origin. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /** Where the files of statements stand, if not at `baseUrl`: they are fetched from nowhere else. */
  statementOrigin: Type.Optional(Type.String({ maxLength: 255 })),
  /** By which callbacks prove to be pawaPay's: those that it publishes, or these, by their ids. Without, none does. */
  callbackKeys: Type.Optional(
    Type.Union([
      Type.Literal('published'),
      Type.Record(Type.String({ pattern: keyIdPattern }), pem, { minProperties: 1, maxProperties: 10 }),
    ]),
  ),
  /** With which our requests are signed, and how pawaPay's dashboard calls it. */
  signingKey: Type.Optional(pem),
  signingKeyId: Type.Optional(Type.String({ pattern: keyIdPattern })),
}

/** `missingAfterMs` is the simulator's only: no field of an operator's connection. */
export type PawapayConnection = Readonly<Static<Type.TObject<typeof pawapayFields>>> & {
  missingAfterMs?: number
}
