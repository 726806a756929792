import Type, { type Static } from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  arrayOf,
  createTime,
  object,
  optional,
  shownText,
  text,
  textOrNull,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'

export const maxHits = 20 // limit: results of a search

const hitTypes = [
  'payment',
  'payout',
  'refund',
  'checkout_session',
  'payment_link',
  'payment_code',
  'payout_batch',
  'recall',
  'internal_transfer',
  'financial_account',
  'financial_transaction',
  'settlement',
  'case',
  'event',
  'webhook',
  'delivery',
  'ussd_otp',
  'request',
] as const

const hit = object(
  {
    type: Type.Enum([...hitTypes], { description: 'Type of the object.', examples: ['payment'] }),
    id: shownText('ID of the object.', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    title: shownText('Name, order number, masked account or reference of the object.', 'School fees'),
    subtitle: textOrNull(
      'More about the object, such as the masked phone number of a payer.',
      '+23276****56',
    ),
    status: textOrNull('Status of the object; null if it has none.', 'completed'),
    amount: withDescription(optional(shownMoney), 'Amount of the object, if it has one.'),
    createTime,
  },
  { title: 'SearchHit' },
)
export type Hit = Static<typeof hit>

export const hits = arrayOf(
  `At most ${maxHits} objects: payments first, and the newest of each type first.`,
  hit,
)

export const searchText = object({
  q: text(2, 100, {
    description:
      'ID of any object; phone number in any form used in the Space’s country; order number; reference; the rail’s transaction ID; amount, such as `150`, `150.00` or `Le 150`; or name.',
    examples: ['076 123 456'],
  }),
})
