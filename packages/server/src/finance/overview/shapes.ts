import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  arrayOf,
  flag,
  listOf,
  object,
  optional,
  shownText,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { maxUnknown, stuckKinds } from './outcome-store.ts'

const sum = (description: string) =>
  object(
    {
      amount: withDescription(shownMoney, 'Total amount.'),
      count: withDescription(Type.Integer(), 'Number of objects.', 3),
    },
    { description },
  )
export const day = object(
  {
    date: Type.String({
      description: 'Day in the time zone of the Space’s country.',
      examples: ['2026-11-21'],
    }),
    currency: shownText('Three-letter ISO 4217 code.', 'SLE'),
    collected: sum('Completed payments.'),
    paidOut: sum('Payouts, less recalls.'),
    refunded: sum('Completed refunds.'),
  },
  { title: 'OverviewDay', description: 'A day’s totals in one currency, according to the books.' },
)
const isWhole = flag('False while totals are still being computed. Retry shortly.')
const counted = (description: string) => Type.Integer({ minimum: 0, maximum: maxUnknown, description })

export const overview = object(
  {
    date: shownText('Today’s date in the time zone of the Space’s country.', '2026-11-21'),
    isWhole,
    today: Type.Array(day, { description: 'Today’s totals, one entry per currency with activity.' }),
    providers: Type.Array(
      object({
        provider: shownText('Provider id.', 'm17'),
        completed: withDescription(Type.Integer(), 'Completed payments.', 97),
        failed: withDescription(Type.Integer(), 'Failed payments.', 3),
        underWay: withDescription(Type.Integer(), 'Payments that have no outcome yet.', 1),
      }),
      { description: 'Outcomes of the newest payments of the last 24 hours, at most 2,000.' },
    ),
    unknown: listOf('Objects that have been without an outcome for too long.', {
      of: withMeanings(Type.Enum([...stuckKinds]), 'Kind of object.', {
        payments: 'money in',
        payouts: 'money out',
        refunds: 'money back',
      }),
      over10Minutes: counted('Number of objects sent more than ten minutes ago that have no outcome.'),
      overHour: counted('Number of these objects that were sent more than an hour ago.'),
      overDay: counted('Number of these objects that were sent more than a day ago.'),
    }),
  },
  { title: 'Overview' },
)

export const daysQuery = object({
  days: optional(
    Type.Integer({
      minimum: 1,
      maximum: 92, // limit: days of an overview
      default: 30,
      examples: [30],
      description: 'Number of days up to today.',
    }),
  ),
})
export const overviewDays = object(
  { isWhole, days: arrayOf('Latest first, one entry per day and currency.', day) },
  { title: 'OverviewDays' },
)
