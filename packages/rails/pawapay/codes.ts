import { createFailures, failure, failures } from '@pesewa/connector-kit'

/**
 * Codes that concern the request or the connection rather than an account. They have the same meaning for
 * deposits, payouts and refunds.
 */
const ofTheRequest = {
  NO_AUTHENTICATION: failures.notSetUp,
  AUTHENTICATION_ERROR: failures.notSetUp,
  AUTHORISATION_ERROR: failures.notSetUp,
  HTTP_SIGNATURE_ERROR: failures.notSetUp,
  INVALID_INPUT: failures.requestRejected,
  MISSING_PARAMETER: failures.requestRejected,
  UNSUPPORTED_PARAMETER: failures.requestRejected,
  INVALID_PARAMETER: failures.requestRejected,
  DUPLICATE_METADATA_FIELD: failures.requestRejected,
  INVALID_AMOUNT: failures.amountRefused,
  AMOUNT_OUT_OF_BOUNDS: failure('rejected', 'The amount is outside the provider’s limits.'),
  INVALID_CURRENCY: failures.currencyRefused,
  INVALID_PROVIDER: failure('rejected', 'The connection does not reach this provider.'),
  PROVIDER_TEMPORARILY_UNAVAILABLE: failure('rejected', 'The provider is currently unavailable.'),
}

const ofTheAccount = {
  INVALID_PHONE_NUMBER: failures.walletMissing,
  PAYER_NOT_FOUND: failures.walletMissing,
  RECIPIENT_NOT_FOUND: failures.walletMissing,
  PAYER_LIMIT_REACHED: failures.walletLimitReached,
  RECIPIENT_LIMIT_REACHED: failures.walletLimitReached,
  WALLET_LIMIT_REACHED: failures.walletLimitReached,
}

const openPrompt = failure('rejected', 'The payer still has another payment request open.')

/** pawaPay's codes for failed deposits. */
export const depositFailures = createFailures({
  atSubmit: {
    ...ofTheRequest,
    ...ofTheAccount,
    DEPOSITS_NOT_ALLOWED: failures.notSetUp,
    PAYMENT_IN_PROGRESS: openPrompt,
    TRANSACTION_ALREADY_IN_PROCESS: openPrompt,
  },
  later: {
    INSUFFICIENT_BALANCE: failures.walletBalanceTooLow,
    PAYMENT_NOT_APPROVED: failures.payerNotApproved,
    MANUALLY_CANCELLED: failures.paymentCancelled,
  },
  other: failures.paymentFailed,
})

const ofMoneyOut = {
  PAWAPAY_WALLET_OUT_OF_FUNDS: failures.ourBalanceTooLow,
}

/** pawaPay's codes for failed payouts. */
export const payoutFailures = createFailures({
  atSubmit: { ...ofTheRequest, ...ofTheAccount, ...ofMoneyOut, PAYOUTS_NOT_ALLOWED: failures.notSetUp },
  later: { MANUALLY_CANCELLED: failure('cancelled', 'The payout was cancelled.') },
  other: failures.payoutFailed,
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
    REFUNDS_NOT_ALLOWED: failures.notSetUp,
    REFUND_IN_PROGRESS: failure('rejected', 'Another refund of this payment is still in progress.'),
    AMOUNT_TOO_LARGE: failure('rejected', 'The amount is more than can still be refunded.'),
    DEPOSIT_ALREADY_REFUNDED: failure('rejected', 'The payment has already been refunded.'),
    NOT_FOUND: failures.originalMissing,
    INVALID_STATE: failure('rejected', 'The provider does not report the payment as completed.'),
  },
  later: { MANUALLY_CANCELLED: failure('cancelled', 'The refund was cancelled.') },
  other: failures.refundFailed,
})

/** The code for an outcome that pawaPay itself does not know. The money may have been moved. */
export const inconclusiveCode = 'UNKNOWN_ERROR'
