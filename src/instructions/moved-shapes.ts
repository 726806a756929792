import Type, { type Static } from 'typebox'
import { maxAmount } from '../countries/money.ts'
import { nameQuery, object, optional, text } from '../platform/http/shapes.ts'
import { type MovedRow, movedStatuses } from './moved-rows.ts'

/** What every list of money that a rail moves can be asked for. */
export const movedFilters = {
  status: optional(Type.Enum(movedStatuses)),
  provider: optional(text(1, 64, { description: 'The id of its provider.', examples: ['m17'] })),
  amount: optional(
    Type.Integer({
      minimum: 1,
      maximum: maxAmount,
      description: 'Exactly this amount, in minor units.',
      examples: [1500],
    }),
  ),
  phoneNumber: optional(
    Type.String({
      maxLength: 16,
      pattern: '^[+ ]?[1-9][0-9]{6,14}$',
      description: 'Exactly this phone, as E.164: in an address `+` is written `%2B`, or left out.',
      examples: ['+23276123456'],
    }),
  ),
  q: nameQuery,
}

const query = object(movedFilters)
export type MovedFilter = Omit<Partial<Static<typeof query>>, 'status'> & {
  status?: MovedRow['status'] | undefined
}
