import Type, { type Static } from 'typebox'
import { maxAmount } from '../countries/money.ts'
import { shownMoney } from '../countries/shapes.ts'
import {
  described,
  failureDetail,
  freeObject,
  nameQuery,
  object,
  optional,
  text,
} from '../platform/http/shapes.ts'
import type { FailureCode } from '../providers/connector.ts'
import { type MovedRow, movedStatuses } from './moved-rows.ts'

/** Why money that a rail was to move did not move. */
export const movedFailure = failureDetail({
  unknown: 'the provider gave no reason, never received it, or reports another amount',
  fund_insufficient: 'not enough money: of the payer’s, or of yours to pay out',
  authorization_failed:
    'the payer declined, gave a wrong PIN or did not answer in time; or the payee’s account does not take this money',
  provider_unknown: 'the provider is not connected',
  provider_unavailable: 'the provider is not responding right now, and nothing was sent to it',
  provider_account_blocked: 'the account at the provider is blocked',
  provider_account_missing: 'there is no such account at the provider',
  provider_account_quota_exhausted: 'the account at the provider has reached a limit',
  cancelled: 'it was cancelled, by you or at the provider',
  rejected: 'the provider did not allow it, or another member did not approve it',
} satisfies Record<FailureCode, string>)

const fee = object({
  code: described(Type.String(), 'What the fee is for: `payment`, `payout` or `refund`.', 'payout'),
  amount: described(shownMoney, 'What it costs.'),
  metadata: described(freeObject, 'Always empty.'),
})

/** The fees of something, as a response shows them. */
export const shownFees = (description: string) => described(Type.Array(fee), description)

/** What every list of money that a rail moves can be asked for. */
export const movedFilters = {
  status: described(optional(Type.Enum(movedStatuses)), 'Only those of this status.'),
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
  q: described(
    nameQuery,
    'What names it, whole: an id, an order number, a reference, a transaction of the rail, or a phone number in any form that people write in the Space’s country, such as `076 123 456`. What names nothing finds nothing.',
  ),
}

const query = object(movedFilters)
export type MovedFilter = Omit<Partial<Static<typeof query>>, 'status'> & {
  status?: MovedRow['status'] | undefined
}
