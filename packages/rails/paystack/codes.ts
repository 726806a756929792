import { createFailures, failure } from '@pesewa/connector-kit'

const ofTheAccount = {
  'insufficient funds': failure('fund_insufficient', 'There was not enough money in the account.'),
  'account is not active': failure('provider_account_blocked', 'The account is blocked.'),
  'invalid account': failure('provider_account_missing', 'The provider has no such account.'),
  'limit exceeded': failure('provider_account_quota_exhausted', 'The account has reached its limit.'),
}

/** Reasons that a charge failed, by `gateway_response` in lower case. */
export const chargeFailures = createFailures({
  atSubmit: {},
  later: {
    ...ofTheAccount,
    declined: failure('authorization_failed', 'The payment was declined.'),
    'transaction declined': failure('authorization_failed', 'The payment was declined.'),
    'incorrect otp': failure('authorization_failed', 'The payer entered the wrong code.'),
    'transaction timed out': failure('authorization_failed', 'The payer did not respond in time.'),
    'not confirmed in time': failure('authorization_failed', 'The payment was not confirmed in time.'),
    'cancelled by customer': failure('cancelled', 'The payer cancelled the payment.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

/**
 * Reasons that a transfer failed. Reasons in the response to the submit are identified by their error code, and
 * later reasons by `gateway_response` in lower case.
 */
export const transferFailures = createFailures({
  atSubmit: {
    insufficient_balance: failure(
      'fund_insufficient',
      'This service’s balance with the provider was too low.',
    ),
  },
  later: {
    ...ofTheAccount,
    'insufficient funds': failure(
      'fund_insufficient',
      'This service’s balance with the provider was too low.',
    ),
    declined: failure('authorization_failed', 'The account cannot receive this payment.'),
    'transaction timed out': failure(
      'authorization_failed',
      'The recipient did not collect the money in time.',
    ),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
})

export const refundFailed = failure('unknown', 'The provider reported that the refund failed.')
export const requestInvalid = failure('rejected', 'The provider rejected the request.')
export const noSuchAccount = failure('provider_account_missing', 'The provider has no such account.')
export const currencyRefused = failure(
  'rejected',
  'The connection to the provider does not support this currency.',
)

/** Normalizes a text so that it can be looked up in the tables above. */
export const wordOf = (text: unknown) => (typeof text === 'string' ? text.trim().toLowerCase() : undefined)
