import { createFailures, failure } from '../../failures.ts'

const ofTheAccount = {
  'insufficient funds': failure('fund_insufficient', 'There was not enough money in the account.'),
  'account is not active': failure('provider_account_blocked', 'The account is blocked.'),
  'invalid account': failure('provider_account_missing', 'The provider has no such account.'),
  'limit exceeded': failure('provider_account_quota_exhausted', 'The account has reached its limit.'),
}

/** Of charges, by their `gateway_response` in lower case. */
export const chargeFailures = createFailures({
  atSubmit: {},
  later: {
    ...ofTheAccount,
    declined: failure('authorization_failed', 'The payment was declined.'),
    'transaction declined': failure('authorization_failed', 'The payment was declined.'),
    'incorrect otp': failure('authorization_failed', 'The code was wrong.'),
    'transaction timed out': failure('authorization_failed', 'The payer did not answer in time.'),
    'not confirmed in time': failure('authorization_failed', 'The payment was not confirmed in time.'),
    'cancelled by customer': failure('cancelled', 'The payer cancelled the payment.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

/** Of transfers: words at the submit are the codes of errors, later ones `gateway_response` in lower case. */
export const transferFailures = createFailures({
  atSubmit: {
    insufficient_balance: failure(
      'fund_insufficient',
      'This service did not have enough money at the provider.',
    ),
  },
  later: {
    ...ofTheAccount,
    'insufficient funds': failure(
      'fund_insufficient',
      'This service did not have enough money at the provider.',
    ),
    declined: failure('authorization_failed', 'The account does not take this money.'),
    'transaction timed out': failure('authorization_failed', 'The money was not taken in time.'),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
})

export const refundFailed = failure('unknown', 'The provider reported that the refund failed.')
export const requestInvalid = failure('rejected', 'The provider does not accept this request.')
export const noSuchAccount = failure('provider_account_missing', 'The provider has no such account.')
export const currencyRefused = failure('rejected', 'This connection does not take this currency.')

/** As the tables above have it. */
export const wordOf = (text: unknown) => (typeof text === 'string' ? text.trim().toLowerCase() : undefined)
