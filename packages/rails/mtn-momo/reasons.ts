import { createFailures, failure, failures } from '@pesewa/connector-kit'

/**
 * Reasons that concern the connection rather than an account. They have the same meaning for collections,
 * disbursements and refunds.
 */
const ofTheConnection = {
  NOT_ALLOWED_TARGET_ENVIRONMENT: failure(
    'rejected',
    'The connection to the provider is not set up for this market.',
  ),
  INVALID_CALLBACK_URL_HOST: failure(
    'rejected',
    'The connection to the provider is not set up for our IP address.',
  ),
  INVALID_CURRENCY: failures.currencyRefused,
}

/** MTN's reasons for failed collections. */
export const collectionFailures = createFailures({
  atSubmit: {
    ...ofTheConnection,
    NOT_ENOUGH_FUNDS: failures.walletBalanceTooLow,
    PAYER_NOT_FOUND: failures.walletMissing,
    PAYER_LIMIT_REACHED: failures.walletLimitReached,
    SENDER_ACCOUNT_NOT_ACTIVE: failures.walletBlocked,
    // These two reasons concern our own account with MTN, not the payer's.
    PAYEE_NOT_ALLOWED_TO_RECEIVE: failure(
      'rejected',
      'The provider is not accepting payments to this service.',
    ),
    NOT_ALLOWED: failures.paymentNotAllowed,
  },
  later: {
    APPROVAL_REJECTED: failures.payerDeclined,
    PAYMENT_NOT_APPROVED: failures.payerNotApproved,
    EXPIRED: failures.noResponse,
    // MTN uses this reason if a prompt was not confirmed with a PIN in time.
    COULD_NOT_PERFORM_TRANSACTION: failures.notConfirmed,
    TRANSACTION_CANCELED: failures.paymentCancelled,
  },
  other: failures.paymentFailed,
})

const ofDisbursements = {
  atSubmit: {
    ...ofTheConnection,
    NOT_ENOUGH_FUNDS: failures.ourBalanceTooLow,
    PAYEE_NOT_ALLOWED_TO_RECEIVE: failures.walletCannotReceive,
    PAYEE_NOT_FOUND: failures.walletMissing,
    PAYEE_LIMIT_REACHED: failures.walletLimitReached,
    ACCOUNTHOLDER_NOT_ACTIVE: failures.walletBlocked,
    PAYER_NOT_FOUND: failures.payoutsRefused,
    PAYER_LIMIT_REACHED: failures.payoutsRefused,
    SENDER_ACCOUNT_NOT_ACTIVE: failures.payoutsRefused,
    NOT_ALLOWED: failures.payoutNotAllowed,
  },
  later: {
    EXPIRED: failures.notCollected,
    TRANSACTION_CANCELED: failures.payoutCancelled,
  },
  other: failures.payoutFailed,
}

/** MTN's reasons for failed disbursements, in which our own account is the payer. */
export const disbursementFailures = createFailures(ofDisbursements)

/** MTN's reasons for failed refunds, which are disbursements to the original payer. MTN looks up who that is. */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofDisbursements.atSubmit,
    RESOURCE_NOT_FOUND: failures.originalMissing,
    NOT_ALLOWED: failures.refundNotAllowed,
  },
  later: {
    ...ofDisbursements.later,
    TRANSACTION_CANCELED: failures.refundCancelled,
  },
  other: failures.refundFailed,
})

/**
 * Reasons that are returned if MTN does not know the outcome. The money may have been moved, so these are not
 * failures.
 */
export const inconclusive: readonly unknown[] = ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE']
