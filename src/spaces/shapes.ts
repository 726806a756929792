import Type, { type TSchema } from 'typebox'
import { freeObject, object } from '../platform/http/shapes.ts'

type ShownOwner = { id: string; type: string; metadata: object; owner: ShownOwner } | Record<string, never>

/** As deep as chains of owners are. All levels have one title, so that the document has one shape that holds itself. */
function ownerOf(levels: number): TSchema {
  const nobody = Type.Unsafe({ type: 'object', maxProperties: 0, description: 'The Space has no owner.' })
  if (levels === 0) return Type.Unsafe<ShownOwner>({ title: 'Owner', anyOf: [nobody] })
  const somebody = object({
    id: Type.String({ examples: ['cos-01kaj3v5w8e4r9tbn2m6c7d0xz'] }),
    type: Type.String({ examples: ['checkout_session'] }),
    metadata: freeObject,
    owner: ownerOf(levels - 1),
  })
  return Type.Unsafe<ShownOwner>({
    title: 'Owner',
    description: 'An owner, with its metadata of the time and its own owner; the innermost is the Space.',
    anyOf: [somebody, nobody],
  })
}

export const ownershipGraph = object(
  { owner: Type.Unsafe<ShownOwner>(ownerOf(4)) },
  {
    title: 'OwnershipGraph',
    description: 'Who owns an object, and who owns that: up to the Space, which has no owner.',
    examples: [{ owner: { id: 'spc-01kaj3v5w8e4r9tbn2m6c7d0xz', type: 'space', metadata: {}, owner: {} } }],
  },
)
