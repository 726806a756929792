import Type from 'typebox'
import {
  createTime,
  nameText,
  object,
  optional,
  ownId,
  text,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import type { Space } from '../../tenants/spaces/store.ts'
import { type CountedSpace, maxCounted, spaceStatuses } from './store.ts'

const spaceFields = {
  id: ownId(spaceIds),
  name: withDescription(Type.String({ examples: ['Country Cloth Shop'] }), 'Name of the Space.'),
  country: withDescription(Type.String({ examples: ['SL'] }), 'Two-letter ISO 3166-1 code.'),
  status: Type.Enum(spaceStatuses, {
    description: '`active`, or `suspended`: the Space’s API calls are refused, and it accepts no payments.',
  }),
  suspension: withDescription(
    Type.Unsafe<{ by: string; reason: string; createTime: string } | null>({
      type: ['object', 'null'],
      required: ['by', 'reason', 'createTime'],
      properties: {
        by: { type: 'string', description: 'Email address of the operator.' },
        reason: { type: 'string', description: 'Reason given.' },
        createTime: { type: 'string', format: 'date-time', description: 'When it was suspended.' },
      },
      additionalProperties: false,
    }),
    'Suspension; null if the Space is active.',
  ),
  createTime,
}

export const operatorsSpace = object(spaceFields, { title: 'OperatorsSpace' })

const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: maxCounted, description, examples: [3] })

export const countedSpace = object(
  {
    ...spaceFields,
    memberCount: count(`Number of members, counted up to ${maxCounted}.`),
    openCaseCount: count(`Number of open cases in both environments, counted up to ${maxCounted}.`),
  },
  { title: 'CountedSpace' },
)

export const newSpace = object({
  name: nameText(1, 100, { description: 'Name shown to payers.' }),
  country: text(2, 2, {
    pattern: '^[A-Z]{2}$',
    examples: ['SL'],
    description: 'Two-letter country code; determines the currency and the time zone.',
  }),
  ownerEmail: optional(
    text(3, 254, {
      pattern: '^[^\\s@]+@[^\\s@]+$',
      examples: ['owner@shop.example'],
      description: 'Email address of the owner, who is added as a user if unknown.',
    }),
  ),
})

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
