import Type, { type TSchema } from 'typebox'
import {
  createTime,
  freeObject,
  nameText,
  object,
  shownMetadata,
  shownText,
  updateTime,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'

type ShownOwner = { id: string; type: string; metadata: object; owner: ShownOwner } | Record<string, never>

/**
 * Returns the schema of an owner, nested as deep as the longest chain of owners. All levels have the same
 * title, so that they become one recursive schema in the OpenAPI document.
 */
function ownerSchema(levels: number): TSchema {
  const nobody = Type.Unsafe({
    type: 'object',
    maxProperties: 0,
    description: 'Empty, because a Space has no owner.',
  })
  if (levels === 0) return Type.Unsafe<ShownOwner>({ title: 'Owner', anyOf: [nobody] })
  const somebody = object({
    id: shownText('Id of the owner.', 'cos-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    type: shownText('Type of the owner.', 'checkout_session'),
    metadata: withDescription(freeObject, 'Metadata that the owner had when it became the owner.'),
    owner: withDescription(ownerSchema(levels - 1), 'Owner of the owner; an empty object if there is none.'),
  })
  return Type.Unsafe<ShownOwner>({
    title: 'Owner',
    description:
      'An owner, with the metadata that it had when it became the owner, and with its own owner. The outermost owner is the Space.',
    anyOf: [somebody, nobody],
  })
}

export const ownershipGraph = withDescription(
  object(
    {
      owner: withDescription(
        Type.Unsafe<ShownOwner>(ownerSchema(4)),
        'Nearest owner, which is the object for which, or together with which, this object was created.',
      ),
    },
    {
      title: 'OwnershipGraph',
      description: 'Chain of owners of an object, up to the Space.',
      examples: [{ owner: { id: 'spc-01kaj3v5w8e4r9tbn2m6c7d0xz', type: 'space', metadata: {}, owner: {} } }],
    },
  ),
  'Chain of owners, up to the Space.',
)

/** The fields at the end of most resources. */
export const ownedFields = { createTime, updateTime, ownershipGraph, metadata: shownMetadata }

/** The reason that an operator gives for a decision. */
export const reasonText = nameText(1, 500, { description: 'Reason, for the audit entry.' })
