import Type, { type TSchema } from 'typebox'
import { described, freeObject, object } from '../platform/http/shapes.ts'

type ShownOwner = { id: string; type: string; metadata: object; owner: ShownOwner } | Record<string, never>

/** As deep as chains of owners are. All levels have one title, so that the document has one shape that holds itself. */
function ownerOf(levels: number): TSchema {
  const nobody = Type.Unsafe({ type: 'object', maxProperties: 0, description: 'The Space has no owner.' })
  if (levels === 0) return Type.Unsafe<ShownOwner>({ title: 'Owner', anyOf: [nobody] })
  const somebody = object({
    id: described(Type.String({ examples: ['cos-01kaj3v5w8e4r9tbn2m6c7d0xz'] }), 'The id of the owner.'),
    type: described(Type.String({ examples: ['checkout_session'] }), 'What kind of object the owner is.'),
    metadata: described(freeObject, 'The owner’s own metadata, as it was when it came to own.'),
    owner: described(ownerOf(levels - 1), 'Who owns the owner; an empty object where nobody does.'),
  })
  return Type.Unsafe<ShownOwner>({
    title: 'Owner',
    description: 'An owner, with its metadata of the time and its own owner; the innermost is the Space.',
    anyOf: [somebody, nobody],
  })
}

export const ownershipGraph = described(
  object(
    {
      owner: described(
        Type.Unsafe<ShownOwner>(ownerOf(4)),
        'The nearest owner: what it was created for or with.',
      ),
    },
    {
      title: 'OwnershipGraph',
      description: 'Who owns an object, and who owns that: up to the Space, which has no owner.',
      examples: [{ owner: { id: 'spc-01kaj3v5w8e4r9tbn2m6c7d0xz', type: 'space', metadata: {}, owner: {} } }],
    },
  ),
  'Who owns it, and who owns that, up to the Space.',
)
