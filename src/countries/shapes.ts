import Type from 'typebox'
import { described, object } from '../platform/http/shapes.ts'
import { decimalOf, maxAmount } from './money.ts'

/** A phone number as people write it; whether there is such a number is judged where its country is known. */
export const phoneNumber = Type.String({
  maxLength: 32,
  pattern: '^[ ()+-]*[0-9][0-9 ()-]*$',
  examples: ['+23276123456'],
})

export const money = object(
  {
    currency: described(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
      'The currency, by its three letters of ISO 4217.',
    ),
    value: described(
      Type.Integer({ minimum: 1, maximum: maxAmount, examples: [1500] }),
      'Whole units of the smallest that the currency has: cents, pesewas; francs where it has none smaller.',
    ),
  },
  { title: 'Money', description: 'An amount in whole minor units: 1500 SLE is Le 15.00.' },
)

/** An amount in a response: zero and, for sums, more than 2^53 can occur there. */
export const shownMoney = object(
  {
    currency: described(
      Type.String({ examples: ['SLE'] }),
      'The currency, by its three letters of ISO 4217.',
    ),
    value: described(
      Type.Integer({ examples: [1500] }),
      'Whole units of the smallest that the currency has.',
    ),
  },
  {
    title: 'ShownMoney',
    description:
      'In whole minor units, exact whatever its size: a sum can be more than 9007199254740991, the largest integer that every double holds.',
    readable: {
      decimal: ({ currency, value }: Record<string, unknown>) => decimalOf(value, String(currency)),
    },
  },
)
