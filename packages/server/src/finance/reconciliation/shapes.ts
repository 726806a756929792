import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  flag,
  group,
  object,
  optional,
  optionalEnum,
  shownText,
  text,
  textOrNull,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { ownItemStates } from './own-line-store.ts'
import { reconciledStates } from './reconciled.ts'

const date = Type.String({
  format: 'date',
  maxLength: 'yyyy-mm-dd'.length,
  examples: ['2026-11-21'],
  description: 'Day in the time zone of the Space’s country.',
})
const direction = Type.Enum(['collection', 'disbursement'] as const, {
  description:
    '`collection` for money in, `disbursement` for money out. A negative amount moved the other way, as in a settlement with a bank.',
})

export const reconciledDay = object({
  date,
  provider: shownText('Provider id.', 'm17'),
  direction,
  count: Type.Integer({ description: 'Number of booked lines.' }),
  amount: withDescription(shownMoney, 'Total of these lines.'),
  open: group('Open lines.', {
    count: Type.Integer({
      description: 'Number of unexplained lines that are not on any statement.',
    }),
    amount: withDescription(shownMoney, 'Total of these open lines.'),
    estimated: flag('True if there may be more open lines, since only the newest 2,000 are counted.'),
  }),
  state: Type.Enum([...reconciledStates], {
    description:
      '`awaited`: not fully covered by statements, or not matched yet; `differs`: has open lines; `matched`: has no open lines; `closed`: signed off by the operator.',
  }),
})
export const result = object(
  {
    isWhole: flag('False while bookings are still being summed. Retry shortly.'),
    days: Type.Array(reconciledDay, { description: 'Days with bookings, latest first.' }),
  },
  { title: 'ReconciledDays' },
)
export const item = object(
  {
    state: Type.Enum([...ownItemStates], {
      description:
        '`awaited`: no statement covers this time yet; `differs`: a statement covers this time, but lacks this movement or shows a different amount.',
    }),
    date,
    provider: shownText('Provider id.', 'm17'),
    direction,
    amount: withDescription(shownMoney, 'Amount of the line.'),
    time: Type.String({ format: 'date-time', description: 'Booking time.' }),
    objectId: textOrNull('Id of the payment, payout or refund.'),
  },
  { title: 'ReconciliationItem' },
)
export const daysQuery = object({ from: optional(date), to: optional(date) })
export const itemFilters = object({
  date: optional(date),
  provider: withDescription(optional(text(1, 64, { examples: ['m17'] })), 'Only lines at this provider.'),
  direction: optional(direction),
  state: optionalEnum([...ownItemStates], 'Only lines in this state.'),
})
