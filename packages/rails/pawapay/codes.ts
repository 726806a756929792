import { createFailures, failure } from '@pesewa/connector-kit'

const notSetUp = failure('rejected', 'The connection to the provider is not set up for this transaction.')
const notValid = failure('rejected', 'The provider rejected the request.')

/**
 * Codes that concern the request or the connection rather than an account. They have the same meaning for
 * deposits, payouts and refunds.
 */
const ofTheRequest = {
  NO_AUTHENTICATION: notSetUp,
  AUTHENTICATION_ERROR: notSetUp,
  AUTHORISATION_ERROR: notSetUp,
  HTTP_SIGNATURE_ERROR: notSetUp,
  INVALID_INPUT: notValid,
  MISSING_PARAMETER: notValid,
  UNSUPPORTED_PARAMETER: notValid,
  INVALID_PARAMETER: notValid,
  DUPLICATE_METADATA_FIELD: notValid,
  INVALID_AMOUNT: failure('rejected', 'The provider does not accept this amount.'),
  AMOUNT_OUT_OF_BOUNDS: failure('rejected', 'The amount is outside the provider’s limits.'),
  INVALID_CURRENCY: failure('rejected', 'The provider does not accept this currency.'),
  INVALID_PROVIDER: failure('rejected', 'The connection does not reach this provider.'),
  PROVIDER_TEMPORARILY_UNAVAILABLE: failure('rejected', 'The provider is currently unavailable.'),
}

const noAccount = failure('provider_account_missing', 'This number has no mobile money account.')
const limitReached = failure(
  'provider_account_quota_exhausted',
  'The mobile money account has reached its limit.',
)

const ofTheAccount = {
  INVALID_PHONE_NUMBER: noAccount,
  PAYER_NOT_FOUND: noAccount,
  RECIPIENT_NOT_FOUND: noAccount,
  PAYER_LIMIT_REACHED: limitReached,
  RECIPIENT_LIMIT_REACHED: limitReached,
  WALLET_LIMIT_REACHED: limitReached,
}

const openPrompt = failure('rejected', 'The payer still has another payment request open.')

/** pawaPay's codes for failed deposits. */
export const depositFailures = createFailures({
  atSubmit: {
    ...ofTheRequest,
    ...ofTheAccount,
    DEPOSITS_NOT_ALLOWED: notSetUp,
    PAYMENT_IN_PROGRESS: openPrompt,
    TRANSACTION_ALREADY_IN_PROCESS: openPrompt,
  },
  later: {
    INSUFFICIENT_BALANCE: failure(
      'fund_insufficient',
      'There was not enough money in the mobile money account.',
    ),
    PAYMENT_NOT_APPROVED: failure('authorization_failed', 'The payer did not approve the payment.'),
    MANUALLY_CANCELLED: failure('cancelled', 'The payment was cancelled.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

const ofMoneyOut = {
  PAWAPAY_WALLET_OUT_OF_FUNDS: failure(
    'fund_insufficient',
    'This service’s balance with the provider was too low.',
  ),
}

/** pawaPay's codes for failed payouts. */
export const payoutFailures = createFailures({
  atSubmit: { ...ofTheRequest, ...ofTheAccount, ...ofMoneyOut, PAYOUTS_NOT_ALLOWED: notSetUp },
  later: { MANUALLY_CANCELLED: failure('cancelled', 'The payout was cancelled.') },
  other: failure('unknown', 'The provider reported that the payout failed.'),
})

/**
 * pawaPay's codes for failed refunds. pawaPay does not start a refund while another refund of the same deposit is in
 * progress.
 */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofTheRequest,
    ...ofTheAccount,
    ...ofMoneyOut,
    REFUNDS_NOT_ALLOWED: notSetUp,
    REFUND_IN_PROGRESS: failure('rejected', 'Another refund of this payment is still in progress.'),
    AMOUNT_TOO_LARGE: failure('rejected', 'The amount is more than can still be refunded.'),
    DEPOSIT_ALREADY_REFUNDED: failure('rejected', 'The payment has already been refunded.'),
    NOT_FOUND: failure('rejected', 'The provider cannot find the payment.'),
    INVALID_STATE: failure('rejected', 'The provider does not report the payment as completed.'),
  },
  later: { MANUALLY_CANCELLED: failure('cancelled', 'The refund was cancelled.') },
  other: failure('unknown', 'The provider reported that the refund failed.'),
})

/** The code for an outcome that pawaPay itself does not know. The money may have been moved. */
export const inconclusiveCode = 'UNKNOWN_ERROR'
