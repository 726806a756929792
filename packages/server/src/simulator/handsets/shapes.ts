import Type from 'typebox'
import { object, optional, text } from '../../platform/http/shapes/shapes.ts'

export const maxHandsets = 12
const maxTypedLength = 32 // maximum number of characters of a number typed on the handset page
const maxCodeLength = 60 // maximum number of characters that a handset dials
const maxInputs = 20 // maximum number of inputs in a handset’s session
const maxInputLength = 160 // maximum number of characters of a handset’s input

const providerId = text(1, 64)
const number = Type.String({ pattern: '^\\+[1-9][0-9]{5,14}$' })
const reference = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const code = Type.String({ pattern: '^[*#][0-9*#]*#$', maxLength: maxCodeLength })
const input = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]*$', maxLength: maxInputLength })

/** Shapes of the request bodies that the handset page sends. */
export const handsetShapes = {
  phone: object({ providerId, number: text(1, maxTypedLength) }),
  state: object({
    numbers: Type.Array(number, { minItems: 1, maxItems: maxHandsets, uniqueItems: true }),
  }),
  mode: object({ number, mode: Type.Enum(['approve', 'ask']) }),
  answer: object({ number, reference, answer: Type.Enum(['approve', 'decline']) }),
  step: object({
    providerId,
    number,
    code,
    sessionId: optional(Type.String({ pattern: '^ATUid_[0-9a-f-]{36}$' })),
    inputs: optional(Type.Array(input, { maxItems: maxInputs })),
  }),
}
