import { createFailures, failure } from '@pesewa/connector-kit'

/** Codes that have the same meaning for collections, refunds and disbursements. */
const ofTheAccount = {
  account_missing: failure('provider_account_missing', 'The provider has no such account.'),
  account_blocked: failure('provider_account_blocked', 'The account is blocked.'),
  limit_reached: failure('provider_account_quota_exhausted', 'The account has reached its limit.'),
  currency_not_supported: failure('rejected', 'The provider does not accept this currency.'),
}

/** Reasons that a collection failed. */
export const collectionFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failure('fund_insufficient', 'There was not enough money in the account.'),
    not_allowed: failure('rejected', 'The provider does not allow this payment.'),
  },
  later: {
    declined: failure('authorization_failed', 'The payment was declined.'),
    expired: failure('authorization_failed', 'The payer did not respond in time.'),
    not_confirmed: failure('authorization_failed', 'The payment was not confirmed in time.'),
    not_authenticated: failure('authorization_failed', 'Cardholder authentication failed.'),
    cancelled: failure('cancelled', 'The payer cancelled the payment.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

/** Reasons that a refund failed. In these codes, the account is that of the payer, who gets the money back. */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failure('fund_insufficient', 'This service’s balance with the provider was too low.'),
    not_allowed: failure('rejected', 'The provider does not allow this refund.'),
    original_missing: failure('rejected', 'The provider cannot find the payment.'),
  },
  later: {
    declined: failure('authorization_failed', 'The account cannot receive this payment.'),
    expired: failure('authorization_failed', 'The recipient did not collect the money in time.'),
    cancelled: failure('cancelled', 'The provider cancelled the refund.'),
  },
  other: failure('unknown', 'The provider reported that the refund failed.'),
})

/** Reasons that a disbursement failed. In these codes, the account is the payee's, and the balance is ours. */
export const disbursementFailures = createFailures({
  atSubmit: {
    ...ofTheAccount,
    insufficient_funds: failure('fund_insufficient', 'This service’s balance with the provider was too low.'),
    not_allowed: failure('rejected', 'The provider does not allow this payout.'),
  },
  later: {
    declined: failure('authorization_failed', 'The account cannot receive this payment.'),
    expired: failure('authorization_failed', 'The recipient did not collect the money in time.'),
    cancelled: failure('cancelled', 'The provider cancelled the payout.'),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
})
