import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { nameText, object, text, timestamp } from '../platform/http/shapes.ts'
import { environmentShape } from './connection-shapes.ts'
import { providerIdText } from './statement-shapes.ts'

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const nullableTime = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
const nullableMoney = (description: string) => Type.Union([shownMoney, Type.Null()], { description })

const itemStates = ['amount_differs', 'missing_here', 'missing_there', 'awaited'] as const

export const placeQuery = object({ environment: environmentShape, providerId: providerIdText })

export const openItems = object(
  {
    isWhole: Type.Boolean({ description: 'These are all, not only the oldest 200.' }),
    items: Type.Array(
      object({
        id: Type.String({ examples: ['m17/live/4242'], description: 'What a person closes it by.' }),
        state: Type.Enum(itemStates, {
          description:
            '`missing_here`: only the provider has it; `missing_there`: only we do; `awaited`: no statement covers its time yet.',
        }),
        direction: Type.Enum(['collection', 'disbursement'] as const),
        time: Type.String({ format: 'date-time', description: 'When it moved, or was booked.' }),
        theirs: nullableMoney('What the provider shows.'),
        ours: nullableMoney('What the books show.'),
        fileName: nullableText('The statement that has it.'),
        line: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
        reference: nullableText('As the provider has it.'),
        objectId: nullableText('What of a Space it is, or may be.'),
      }),
    ),
  },
  { title: 'OpenItems' },
)

const reason = nameText(1, 500, { description: 'Why, as it is recorded.' }) // limit: why an item or a day was closed

export const closeItemBody = object({
  id: text(1, 200, { examples: ['m17/test/4242'], description: 'As the list of open items has it.' }),
  reason,
})
export const closedItem = object(
  { id: Type.String(), state: Type.Enum(itemStates), closeTime: timestamp },
  { title: 'ClosedItem' },
)

const day = Type.String({
  format: 'date',
  examples: ['2026-11-20'],
  description: 'A day in the country of the provider.',
})

export const dayBody = object({ environment: environmentShape, providerId: providerIdText, day, reason })
const whole = Type.Integer({ examples: [240] })

const closedDay = object({
  providerId: Type.String({ examples: ['m17'] }),
  environment: environmentShape,
  day,
  currency: Type.String({ examples: ['SLE'] }),
  stated: object({ lines: whole, in: shownMoney, out: shownMoney }),
  booked: object({ lines: whole, in: shownMoney, out: shownMoney }),
  differences: Type.Array(
    object({
      side: Type.Enum(['stated', 'booked'] as const),
      cause: Type.String({ examples: ['other_day'] }),
      direction: Type.Enum(['collection', 'disbursement'] as const),
      lines: whole,
      amount: shownMoney,
    }),
  ),
  by: Type.String({ description: 'Who signed it.' }),
  reason: Type.String(),
  closeTime: timestamp,
  reopening: Type.Unsafe<{ by: string; reason: string; createTime: string } | null>({
    type: ['object', 'null'],
    required: ['by', 'reason', 'createTime'],
    properties: {
      by: { type: 'string' },
      reason: { type: 'string' },
      createTime: { type: 'string', format: 'date-time' },
    },
    additionalProperties: false,
  }),
})

export const closedDays = object(
  { days: Type.Array(closedDay, { description: 'The last first, at most 1 000; one a currency.' }) },
  { title: 'ClosedDays' },
)

const dayToClose = object({
  day,
  gap: Type.Unsafe<{ from: string; until: string } | null>({
    type: ['object', 'null'],
    description: 'The first time of the day that no statement covers; null where they cover all of it.',
    required: ['from', 'until'],
    properties: {
      from: { type: 'string', format: 'date-time' },
      until: { type: 'string', format: 'date-time' },
    },
    additionalProperties: false,
  }),
})

export const daysOfProvider = object(
  {
    ...closedDays.properties,
    toClose: Type.Array(dayToClose, {
      description:
        'Days of the last 100 that are over and not closed, the first first, since statements began.',
    }),
  },
  { title: 'DaysOfProvider' },
)

export const reopenedDay = object(
  { providerId: Type.String(), environment: environmentShape, day, reopenTime: nullableTime },
  { title: 'ReopenedDay' },
)
