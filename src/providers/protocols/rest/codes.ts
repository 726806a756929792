import { createFailures, failure } from '../../failures.ts'

/** Whichever way money goes. */
const ofTheAccount = {
  account_missing: failure('provider_account_missing', 'The provider has no such account.'),
  account_blocked: failure('provider_account_blocked', 'The account is blocked.'),
  limit_reached: failure('provider_account_quota_exhausted', 'The account has reached its limit.'),
  currency_not_supported: failure('rejected', 'The provider does not take this currency.'),
}

/** Of collections. */
export const collectionFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failure('fund_insufficient', 'There was not enough money in the account.'),
    not_allowed: failure('rejected', 'The provider does not allow this payment.'),
  },
  later: {
    declined: failure('authorization_failed', 'The payment was declined.'),
    expired: failure('authorization_failed', 'The payer did not answer in time.'),
    not_confirmed: failure('authorization_failed', 'The payment was not confirmed in time.'),
    not_authenticated: failure('authorization_failed', 'The payer could not prove to be the card’s holder.'),
    cancelled: failure('cancelled', 'The payer cancelled the payment.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

/** Of refunds: the account is that of the payer, who gets the money back. */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failure(
      'fund_insufficient',
      'This service did not have enough money at the provider.',
    ),
    not_allowed: failure('rejected', 'The provider does not allow this refund.'),
    original_missing: failure('rejected', 'The provider does not know the payment.'),
  },
  later: {
    declined: failure('authorization_failed', 'The account does not take this money.'),
    expired: failure('authorization_failed', 'The money was not taken in time.'),
    cancelled: failure('cancelled', 'The provider cancelled the refund.'),
  },
  other: failure('unknown', 'The provider reported that the refund failed.'),
})

/** Of disbursements: the account is the payee's, and the money at the provider is the service's. */
export const disbursementFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failure(
      'fund_insufficient',
      'This service did not have enough money at the provider.',
    ),
    not_allowed: failure('rejected', 'The provider does not allow this payout.'),
  },
  later: {
    declined: failure('authorization_failed', 'The account does not take this money.'),
    expired: failure('authorization_failed', 'The money was not taken in time.'),
    cancelled: failure('cancelled', 'The provider cancelled the payout.'),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
})
