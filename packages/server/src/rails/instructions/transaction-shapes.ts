import type { FailureCode } from '@pesewa/connector-kit'
import { maxAmount } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import {
  arrayOf,
  failureDetail,
  freeObject,
  object,
  optional,
  optionalEnum,
  searchQuery,
  text,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { type TransactionRow, transactionStatuses } from './transaction-rows.ts'

/** The reasons that the money of a payment, payout or refund was not moved. */
export const transactionFailure = failureDetail({
  unknown: 'the provider gave no reason, never received the request, or reported a different amount',
  fund_insufficient: 'there was not enough money in the payer’s account or, for a payout, in yours',
  authorization_failed:
    'the payer declined, entered a wrong PIN or did not respond in time; or the payee’s account cannot receive the money',
  provider_unknown: 'the provider is not connected',
  provider_unavailable: 'the provider is not responding; nothing was sent to it',
  provider_account_blocked: 'the account with the provider is blocked',
  provider_account_missing: 'the provider has no such account',
  provider_account_quota_exhausted: 'the account with the provider has reached a limit',
  cancelled: 'cancelled by you or at the provider',
  rejected: 'the provider did not allow it, or another member did not approve it',
} satisfies Record<FailureCode, string>)

const fee = object({
  code: withDescription(Type.String(), 'Type of fee: `payment`, `payout` or `refund`.', 'payout'),
  amount: withDescription(shownMoney, 'Amount of the fee.'),
  metadata: withDescription(freeObject, 'Always empty.'),
})

/** Returns the shape of the fees in a response. */
export const shownFees = (description: string) => arrayOf(description, fee)

export const identifierDescription =
  'Exact identifier: an ID, an order number, a reference, the rail’s transaction ID, or a phone number in any form used in the Space’s country, such as `076 123 456`.'

/** Filters that the lists of payments, payouts and refunds have in common. */
export const transactionFilterShapes = {
  status: optionalEnum(transactionStatuses, 'Only objects with this status.'),
  provider: optional(text(1, 64, { description: 'Only objects with this provider.', examples: ['m17'] })),
  amount: optional(
    Type.Integer({
      minimum: 1,
      maximum: maxAmount,
      description: 'Exact amount, in minor units.',
      examples: [1500],
    }),
  ),
  phoneNumber: optional(
    Type.String({
      maxLength: 16,
      pattern: '^[+ ]?[1-9][0-9]{6,14}$',
      description: 'Exact phone number, in E.164 format. In a URL, write `+` as `%2B` or leave it out.',
      examples: ['+23276123456'],
    }),
  ),
  q: withDescription(searchQuery, identifierDescription),
}

const query = object(transactionFilterShapes)
export type TransactionFilter = Omit<Partial<Static<typeof query>>, 'status'> & {
  status?: TransactionRow['status'] | undefined
}
