import { createFailures, failure } from '../../failures.ts'

const missing = failure('provider_account_missing', 'The provider has no such account.')
const blocked = failure('provider_account_blocked', 'The account is blocked.')
const overLimit = failure('provider_account_quota_exhausted', 'The account has reached its limit.')
const otherCurrency = failure('rejected', 'The provider does not take this currency.')

/** The codes that a rail gives before it begins. */
const atSubmit = [
  'insufficient_funds',
  'account_missing',
  'account_blocked',
  'limit_reached',
  'not_allowed',
  'currency_not_supported',
]

/** Of collections. */
export const collectionFailures = createFailures(
  {
    insufficient_funds: failure('fund_insufficient', 'There was not enough money in the account.'),
    declined: failure('authorization_failed', 'The payment was declined.'),
    expired: failure('authorization_failed', 'The payer did not answer in time.'),
    not_confirmed: failure('authorization_failed', 'The payment was not confirmed in time.'),
    not_authenticated: failure('authorization_failed', 'The payer could not prove to be the card’s holder.'),
    account_missing: missing,
    account_blocked: blocked,
    limit_reached: overLimit,
    cancelled: failure('cancelled', 'The payer cancelled the payment.'),
    not_allowed: failure('rejected', 'The provider does not allow this payment.'),
    currency_not_supported: otherCurrency,
  },
  atSubmit,
  failure('unknown', 'The provider reported that the payment failed.'),
)

/** Of disbursements: the account is theirs, and the money at the provider is the service's. */
export const disbursementFailures = createFailures(
  {
    insufficient_funds: failure(
      'fund_insufficient',
      'This service did not have enough money at the provider.',
    ),
    declined: failure('authorization_failed', 'The account does not take this money.'),
    expired: failure('authorization_failed', 'The money was not taken in time.'),
    account_missing: missing,
    account_blocked: blocked,
    limit_reached: overLimit,
    cancelled: failure('cancelled', 'The provider cancelled the payout.'),
    not_allowed: failure('rejected', 'The provider does not allow this payout.'),
    currency_not_supported: otherCurrency,
  },
  atSubmit,
  failure('unknown', 'The provider reported that the payout failed.'),
)
