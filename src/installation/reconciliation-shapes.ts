import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { described, explained, nameText, object, text, timestamp } from '../platform/http/shapes.ts'
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
    items: described(
      Type.Array(
        object({
          id: Type.String({ examples: ['m17/live/4242'], description: 'What a person closes it by.' }),
          state: Type.Enum(itemStates, {
            description:
              '`amount_differs`: both have it, with other amounts; `missing_here`: only the provider has it; `missing_there`: only we do; `awaited`: no statement covers its time yet.',
          }),
          direction: explained(
            Type.Enum(['collection', 'disbursement'] as const),
            'Whose clearing account it is.',
            { collection: 'of money that came in', disbursement: 'of money that went out' },
          ),
          time: Type.String({ format: 'date-time', description: 'When it moved, or was booked.' }),
          theirs: nullableMoney('What the provider shows.'),
          ours: nullableMoney('What the books show.'),
          fileName: nullableText('The statement that has it.'),
          line: described(
            Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
            'The line of that file; null where no statement has it.',
          ),
          reference: nullableText('As the provider has it.'),
          objectId: nullableText('What of a Space it is, or may be.'),
        }),
      ),
      'The oldest first.',
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
  {
    id: described(Type.String(), 'The item.', 'm17/live/4242'),
    state: explained(Type.Enum(itemStates), 'What was open about it.', {
      amount_differs: 'both sides show it, with other amounts',
      missing_here: 'only the provider shows it',
      missing_there: 'only the books show it',
      awaited: 'no statement covers its time yet',
    }),
    closeTime: described(timestamp, 'When it was closed.'),
  },
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
  providerId: described(Type.String({ examples: ['m17'] }), 'Whose day it is, by the id of the provider.'),
  environment: environmentShape,
  day,
  currency: described(Type.String({ examples: ['SLE'] }), 'The currency of its sums, by ISO 4217.'),
  stated: described(
    object({
      lines: described(whole, 'How many lines.'),
      in: described(shownMoney, 'The sum of what came in.'),
      out: described(shownMoney, 'The sum of what went out.'),
    }),
    'What statements show.',
  ),
  booked: described(
    object({
      lines: described(whole, 'How many lines.'),
      in: described(shownMoney, 'The sum of what came in.'),
      out: described(shownMoney, 'The sum of what went out.'),
    }),
    'What the books show.',
  ),
  differences: described(
    Type.Array(
      object({
        side: explained(Type.Enum(['stated', 'booked'] as const), 'Who shows these lines.', {
          stated: 'the provider',
          booked: 'the books',
        }),
        cause: described(
          Type.String({ examples: ['other_day'] }),
          'Why the other side does not: `other_day`, matched on another day, say.',
        ),
        direction: explained(
          Type.Enum(['collection', 'disbursement'] as const),
          'Whose clearing account it is.',
          { collection: 'of money that came in', disbursement: 'of money that went out' },
        ),
        lines: described(whole, 'How many lines.'),
        amount: described(shownMoney, 'Their sum.'),
      }),
    ),
    'Why both differ, each cause with its lines.',
  ),
  by: Type.String({ description: 'Who signed it.', examples: ['ama@operator.example'] }),
  reason: described(Type.String(), 'Why, in their words.', 'All lines are explained'),
  closeTime: described(timestamp, 'When it was closed.'),
  reopening: described(
    Type.Unsafe<{ by: string; reason: string; createTime: string } | null>({
      type: ['object', 'null'],
      required: ['by', 'reason', 'createTime'],
      properties: {
        by: { type: 'string', description: 'Who opened it.' },
        reason: { type: 'string', description: 'Why, in their words.' },
        createTime: { type: 'string', format: 'date-time', description: 'When it was opened.' },
      },
      additionalProperties: false,
    }),
    'Who opened it again; null while it is closed.',
  ),
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
      from: { type: 'string', format: 'date-time', description: 'Where the gap begins.' },
      until: { type: 'string', format: 'date-time', description: 'Where the gap ends.' },
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
  {
    providerId: described(Type.String(), 'Whose day it is, by the id of the provider.', 'm17'),
    environment: environmentShape,
    day,
    reopenTime: described(nullableTime, 'When it was opened again.'),
  },
  { title: 'ReopenedDay' },
)
