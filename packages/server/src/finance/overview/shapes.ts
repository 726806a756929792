import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  arrayOf,
  flag,
  listOf,
  object,
  optional,
  shownText,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { maxCounted } from './attention-store.ts'
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
      format: 'date',
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
        topFailure: textOrNull('Most common failure code; null if none failed.', 'authorization_failed'),
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
  withEmptyDays: optional(flag('True to include days without activity, with zeros.')),
})

export const outcomesQuery = object({
  days: optional(
    Type.Integer({
      minimum: 1,
      maximum: 8, // limit: days of an overview’s outcomes
      default: 8,
      examples: [8],
      description: 'Number of days up to today.',
    }),
  ),
})
export const overviewOutcomes = object(
  {
    days: listOf('Latest first, one entry per day.', {
      date: day.properties.date,
      completed: withDescription(Type.Integer(), 'Completed payments among the newest 2,000 of the day.', 97),
      failed: withDescription(Type.Integer(), 'Failed payments among them.', 3),
    }),
  },
  { title: 'OverviewOutcomes' },
)

const waiting = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    maximum: maxCounted,
    description: `${description} Null if you may not read them.`,
  })
export const attention = object(
  {
    payoutApprovals: waiting('Payouts that wait for an approval.'),
    batchApprovals: waiting('Payout batches that wait for an approval.'),
    refundApprovals: waiting('Refunds that wait for an approval.'),
    openCases: waiting('Cases that are open.'),
    failingWebhooks: waiting('Webhooks that are failing, or were disabled because they failed.'),
    unknownOutcomes: waiting(
      'Payments, payouts and refunds sent more than ten minutes ago without an outcome.',
    ),
  },
  { title: 'Attention' },
)
export const overviewDays = object(
  { isWhole, days: arrayOf('Latest first, one entry per day and currency.', day) },
  { title: 'OverviewDays' },
)
