import { createFailures, failure } from '@pesewa/connector-kit'

// Replace: the rail's codes. `atSubmit` must contain only codes that prove that nothing was started.

const atSubmit = {
  account_missing: failure('provider_account_missing', 'This number has no mobile money account.'),
  account_blocked: failure('provider_account_blocked', 'The mobile money account is blocked.'),
  limit_reached: failure(
    'provider_account_quota_exhausted',
    'The mobile money account has reached its limit.',
  ),
  currency_not_supported: failure('rejected', 'The provider does not accept this currency.'),
  request_invalid: failure('rejected', 'The provider rejected the request.'),
}

/** Reasons that a payment failed. */
export const paymentFailures = createFailures({
  atSubmit: {
    ...atSubmit,
    insufficient_funds: failure(
      'fund_insufficient',
      'There was not enough money in the mobile money account.',
    ),
  },
  later: {
    declined: failure('authorization_failed', 'The payer declined the payment.'),
    expired: failure('authorization_failed', 'The payer did not respond in time.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

/** Reasons that a payout failed. In these codes, the account is the payee's, and the balance is ours. */
export const payoutFailures = createFailures({
  atSubmit: {
    ...atSubmit,
    insufficient_funds: failure('fund_insufficient', 'This service’s balance with the provider was too low.'),
  },
  later: {
    declined: failure('authorization_failed', 'The account cannot receive this payment.'),
    expired: failure('authorization_failed', 'The recipient did not collect the money in time.'),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
})
