import { decimalOf, maxAmount } from '@pesewa/values'
import Type from 'typebox'
import { object, withDescription } from '../platform/http/shapes/shapes.ts'

/** A phone number as typed by a person. It is validated later, once the country is known. */
export const phoneNumber = Type.String({
  maxLength: 32,
  pattern: '^[ ()+-]*[0-9][0-9 ()-]*$',
  examples: ['+23276123456'],
})

export const money = object(
  {
    currency: withDescription(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
      'Three-letter ISO 4217 code.',
    ),
    value: withDescription(
      Type.Integer({ minimum: 1, maximum: maxAmount, examples: [1500] }),
      'Amount in the smallest unit of the currency, such as cents or pesewas; whole francs for currencies without one.',
    ),
  },
  { title: 'Money', description: 'Amount in minor units: 1500 SLE is Le 15.00.' },
)

/** An amount in a response. It can be zero, and totals can exceed 2^53. */
export const shownMoney = object(
  {
    currency: withDescription(Type.String({ examples: ['SLE'] }), 'Three-letter ISO 4217 code.'),
    value: withDescription(
      Type.Integer({ examples: [1500] }),
      'Amount in the smallest unit of the currency.',
    ),
  },
  {
    title: 'ShownMoney',
    description:
      'Amount in minor units, always exact. A total can exceed 9007199254740991, the largest integer that a double represents exactly.',
    readable: {
      decimal: ({ currency, value }: Record<string, unknown>) => decimalOf(value, String(currency)),
    },
  },
)
