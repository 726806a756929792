import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  arrayOf,
  flag,
  group,
  listOf,
  object,
  optional,
  shownText,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { settlement } from '../settlements/shapes.ts'
import { dayStates } from './states.ts'

export const monthQuery = object({
  month: optional(
    Type.String({
      maxLength: 'yyyy-mm'.length,
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      examples: ['2026-10'],
      description:
        'Month, no later than the current one. Defaults to the last complete month or, if it has no bookings, to the current month.',
    }),
  ),
})
export const installationMonthQuery = object({ environment: environmentShape, ...monthQuery.properties })

const date = (description: string) => Type.String({ format: 'date', examples: ['2026-10-20'], description })
const provider = shownText('Provider id.', 'm17')
const direction = withMeanings(
  Type.Enum(['collection', 'disbursement'] as const),
  'Direction of the clearing account.',
  { collection: 'money in', disbursement: 'money out' },
)
const count = (description: string) => Type.Integer({ minimum: 0, examples: [3], description })
const sum = (description: string) =>
  group(description, {
    count: count('Number of settlements.'),
    amount: withDescription(shownMoney, 'Total.'),
  })

export const monthEnd = object(
  {
    month: shownText('Month, in the time zone of the Space’s country.', '2026-10'),
    today: date('Current date. Only days before it have ended.'),
    isWhole: flag('False while bookings are still being summed. Retry shortly.'),
    days: listOf('All days of the month, first to last.', {
      date: date('Day.'),
      state: withMeanings(Type.Enum([...dayStates]), 'The least advanced state among all providers.', {
        differs: 'statements and books differ',
        awaited: 'not fully covered by statements, or not matched yet',
        matched: 'statements and books agree',
        closed: 'signed',
        none: 'nothing to reconcile',
      }),
      providers: arrayOf('Providers in this state.', Type.String({ examples: ['m17'] })),
    }),
    providers: listOf('Providers with days to reconcile.', {
      provider,
      endedDays: count('Number of its days that have ended.'),
      closedDays: count('Number of its days that are signed.'),
      missing: arrayOf('Ended days that statements do not fully cover.', date('Day.')),
      matched: arrayOf('Ended days that are matched and not signed.', date('Day.')),
    }),
    differences: listOf('Open lines on days that statements cover, latest day first.', {
      date: date('Day.'),
      provider,
      direction,
      count: count('Number of lines.'),
      amount: withDescription(shownMoney, 'Total of the lines.'),
      estimated: flag('True if there may be more lines, since only the newest 2,000 are counted.'),
    }),
    settlements: listOf('Money moved between providers and the bank, by value date.', {
      provider,
      kind: settlement.properties.kind,
      booked: sum('Settlements booked from the bank statement.'),
      stated: sum('Settlements that are matched with a provider’s statement, or explained.'),
    }),
    owed: listOf('Amounts that providers owed at the end of the month, or owe now if it is not over.', {
      provider,
      direction,
      amount: withDescription(shownMoney, 'Amount owed; negative if it is owed to the provider.'),
      paidSince: withDescription(shownMoney, 'Amount settled after the end of the month.'),
    }),
    signatures: listOf('Signatures of the closed days, latest first.', {
      by: textOrNull(
        'Name or email address of the operator. Null for callers who are not operators.',
        'ama@operator.example',
      ),
      days: count('Number of days of a provider.'),
      time: withDescription(timestamp, 'Time of the latest signature.'),
    }),
  },
  { title: 'MonthEnd' },
)
