import Type from 'typebox'
import { createTime, described, nameText, object, optional, ownId, text } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { spaceIds } from '../spaces/resources.ts'
import type { Space } from '../spaces/spaces.ts'
import { type CountedSpace, maxCounted, spaceStatuses } from './store.ts'

const spaceFields = {
  id: ownId(spaceIds),
  name: described(Type.String({ examples: ['Country Cloth Shop'] }), 'What it is called.'),
  country: described(Type.String({ examples: ['SL'] }), 'Its two letters of ISO 3166-1.'),
  status: Type.Enum(spaceStatuses, {
    description: '`active`, or `suspended`: every call of it is refused, and it takes no payments.',
  }),
  suspension: described(
    Type.Unsafe<{ by: string; reason: string; createTime: string } | null>({
      type: ['object', 'null'],
      required: ['by', 'reason', 'createTime'],
      properties: {
        by: { type: 'string', description: 'The email address of the operator.' },
        reason: { type: 'string', description: 'Why, in their words.' },
        createTime: { type: 'string', format: 'date-time', description: 'When it was suspended.' },
      },
      additionalProperties: false,
    }),
    'Who suspended it; null while nobody has.',
  ),
  createTime,
}

export const operatorsSpace = object(spaceFields, { title: 'OperatorsSpace' })

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: maxCounted, description, examples: [3] })

export const countedSpace = object(
  {
    ...spaceFields,
    memberCount: count(`Its members, counted to ${maxCounted}.`),
    openCaseCount: count(
      `Its cases that wait for a person, of each environment and both, counted to ${maxCounted}.`,
    ),
  },
  { title: 'CountedSpace' },
)

export const newSpace = object({
  name: nameText(1, 100, { description: 'As its payers read it.' }),
  country: text(2, 2, {
    pattern: '^[A-Z]{2}$',
    examples: ['SL'],
    description: 'Two letters; decides its currency and its days.',
  }),
  ownerEmail: optional(
    text(3, 254, {
      pattern: '^[^\\s@]+@[^\\s@]+$',
      examples: ['owner@shop.example'],
      description: 'Who owns it: a user of this address, added where there is none.',
    }),
  ),
})

export const reasonText = nameText(1, 500, { description: 'Why, for the audit entry.' }) // limit: why an operator did it

export const presentSpace = (space: Space) => ({
  id: showId(spaceIds, space.id),
  name: space.name,
  country: space.country,
  status: space.suspendedAt === null ? ('active' as const) : ('suspended' as const),
  suspension: space.suspendedAt && {
    by: space.suspendedBy ?? '',
    reason: space.suspensionReason ?? '',
    createTime: space.suspendedAt.toISOString(),
  },
  createTime: space.createdAt.toISOString(),
})

export const presentCounted = ({ memberCount, openCaseCount, ...space }: CountedSpace) => ({
  ...presentSpace(space),
  memberCount,
  openCaseCount,
})
