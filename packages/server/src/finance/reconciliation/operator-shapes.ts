import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  arrayOf,
  flag,
  integerOrNull,
  listOf,
  nameText,
  nullableTime,
  object,
  optional,
  shownText,
  text,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { providerIdText } from './statement-shapes.ts'

const nullableMoney = (description: string) => Type.Union([shownMoney, Type.Null()], { description })

const itemStates = ['amount_differs', 'missing_here', 'missing_there', 'awaited'] as const

export const providerQuery = object({ environment: environmentShape, providerId: providerIdText })
export const extentQuery = object({
  environment: optional(environmentShape),
  providerId: optional(providerIdText),
})

export const direction = withMeanings(
  Type.Enum(['collection', 'disbursement'] as const),
  'Direction of the clearing account.',
  { collection: 'money in', disbursement: 'money out' },
)
export const itemState = Type.Enum(itemStates, {
  description:
    '`amount_differs`: both sides have the item, with different amounts; `missing_here`: only the provider has it; `missing_there`: only we have it; `awaited`: no statement covers its time yet.',
})

/** The fields that open items and closed items have in common. */
export const itemFields = {
  id: shownText('Id used to close the item.', 'm17/live/4242'),
  state: itemState,
  providerId: shownText('Provider, by its id in the catalogue.', 'm17'),
  environment: environmentShape,
  direction,
  time: Type.String({ format: 'date-time', description: 'When the money moved, or was booked.' }),
  theirs: nullableMoney('Amount on the statement.'),
  ours: nullableMoney('Amount in the books.'),
}

export const openItem = object(
  {
    ...itemFields,
    lineId: textOrNull('The provider’s number for the line; null if no statement contains the item.'),
    fileName: textOrNull('File name of the statement.'),
    line: integerOrNull('Line number in the file; null if no statement contains the item.'),
    reference: textOrNull('Reference on the statement.'),
    spaceId: textOrNull('The Space that the item belongs to, or may belong to.'),
    objectType: textOrNull('Type of the object, such as `payment`.'),
    objectId: textOrNull('The object in a Space that the item belongs to, or may belong to.'),
    objectStatus: textOrNull('Status of the object.'),
  },
  { title: 'OpenItem' },
)

export const openItems = object(
  {
    isWhole: flag('True if all open items are listed, not only the oldest 200.'),
    items: arrayOf('Open items, oldest first.', openItem),
  },
  { title: 'OpenItems' },
)

const reason = nameText(1, 500, { description: 'Reason, for the record.' })

export const closeItemBody = object({
  id: text(1, 200, { examples: ['m17/test/4242'], description: 'Id from the list of open items.' }),
  reason,
})
export const closedItem = object(
  {
    id: withDescription(Type.String(), 'Id of the item.', 'm17/live/4242'),
    state: withMeanings(Type.Enum(itemStates), 'State of the item when it was closed.', {
      amount_differs: 'both sides have the item, with different amounts',
      missing_here: 'only the provider has it',
      missing_there: 'only the books have it',
      awaited: 'no statement covers its time yet',
    }),
    closeTime: withDescription(timestamp, 'When it was closed.'),
  },
  { title: 'ClosedItem' },
)

const day = Type.String({
  format: 'date',
  examples: ['2026-11-20'],
  description: 'Day in the provider’s country.',
})

export const dayBody = object({ environment: environmentShape, providerId: providerIdText, day, reason })
const whole = Type.Integer({ examples: [240] })

const totals = object({
  lines: withDescription(whole, 'Number of lines.'),
  in: withDescription(shownMoney, 'Total money in.'),
  out: withDescription(shownMoney, 'Total money out.'),
})

const closedDay = object({
  providerId: shownText('Provider, by its id in the catalogue.', 'm17'),
  environment: environmentShape,
  day,
  currency: shownText('Currency of the totals, an ISO 4217 code.', 'SLE'),
  stated: withDescription(totals, 'Totals of the statements.'),
  booked: withDescription(totals, 'Totals of the books.'),
  differences: listOf('Differences between the two sides, by cause.', {
    side: withMeanings(Type.Enum(['stated', 'booked'] as const), 'Side that has these lines.', {
      stated: 'the provider',
      booked: 'the books',
    }),
    cause: shownText(
      'Reason that the other side lacks these lines; for example, `other_day` means that they match on another day.',
      'other_day',
    ),
    direction,
    lines: withDescription(whole, 'Number of lines.'),
    amount: withDescription(shownMoney, 'Total of the lines.'),
  }),
  by: Type.String({ description: 'Who closed it.', examples: ['ama@operator.example'] }),
  reason: withDescription(Type.String(), 'Reason given.', 'All lines are explained'),
  closeTime: withDescription(timestamp, 'When it was closed.'),
  reopening: withDescription(
    Type.Unsafe<{ by: string; reason: string; createTime: string } | null>({
      type: ['object', 'null'],
      required: ['by', 'reason', 'createTime'],
      properties: {
        by: { type: 'string', description: 'Who reopened it.' },
        reason: { type: 'string', description: 'Reason given.' },
        createTime: { type: 'string', format: 'date-time', description: 'When it was reopened.' },
      },
      additionalProperties: false,
    }),
    'Reopening; null while the day is closed.',
  ),
})

export const closedDays = object(
  { days: Type.Array(closedDay, { description: 'Closed days per currency, newest first, at most 1,000.' }) },
  { title: 'ClosedDays' },
)

const dayToClose = object({
  day,
  gap: Type.Unsafe<{ from: string; until: string } | null>({
    type: ['object', 'null'],
    description: 'First period of the day that no statement covers; null if statements cover the whole day.',
    required: ['from', 'until'],
    properties: {
      from: { type: 'string', format: 'date-time', description: 'Start of the gap.' },
      until: { type: 'string', format: 'date-time', description: 'End of the gap.' },
    },
    additionalProperties: false,
  }),
})

export const daysOfProvider = object(
  {
    ...closedDays.properties,
    toClose: Type.Array(dayToClose, {
      description:
        'Days among the last 100 that are not closed, oldest first. Days before the first statement are not included. Empty unless the query names a provider and an environment.',
    }),
  },
  { title: 'DaysOfProvider' },
)

export const reopenedDay = object(
  {
    providerId: withDescription(Type.String(), 'Provider, by its id in the catalogue.', 'm17'),
    environment: environmentShape,
    day,
    reopenTime: withDescription(nullableTime, 'When it was reopened.'),
  },
  { title: 'ReopenedDay' },
)
