import { createFailures, failure } from '@pesewa/connector-kit'

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
  INVALID_CURRENCY: failure('rejected', 'The provider does not accept this currency.'),
}

const noAccount = failure('provider_account_missing', 'This number has no mobile money account.')
const limitReached = failure(
  'provider_account_quota_exhausted',
  'The mobile money account has reached its limit.',
)
const blocked = failure('provider_account_blocked', 'The mobile money account is blocked.')

/** MTN's reasons for failed collections. */
export const collectionFailures = createFailures({
  atSubmit: {
    ...ofTheConnection,
    NOT_ENOUGH_FUNDS: failure('fund_insufficient', 'There was not enough money in the mobile money account.'),
    PAYER_NOT_FOUND: noAccount,
    PAYER_LIMIT_REACHED: limitReached,
    SENDER_ACCOUNT_NOT_ACTIVE: blocked,
    // These two reasons concern our own account with MTN, not the payer's.
    PAYEE_NOT_ALLOWED_TO_RECEIVE: failure(
      'rejected',
      'The provider is not accepting payments to this service.',
    ),
    NOT_ALLOWED: failure('rejected', 'The provider does not allow this payment.'),
  },
  later: {
    APPROVAL_REJECTED: failure('authorization_failed', 'The payer declined the payment.'),
    PAYMENT_NOT_APPROVED: failure('authorization_failed', 'The payer did not approve the payment.'),
    EXPIRED: failure('authorization_failed', 'The payer did not respond in time.'),
    // MTN uses this reason if a prompt was not confirmed with a PIN in time.
    COULD_NOT_PERFORM_TRANSACTION: failure('authorization_failed', 'The payment was not confirmed in time.'),
    TRANSACTION_CANCELED: failure('cancelled', 'The payment was cancelled.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

const notNow = failure('rejected', 'The provider is not accepting payouts from this service.')

const ofDisbursements = {
  atSubmit: {
    ...ofTheConnection,
    NOT_ENOUGH_FUNDS: failure('fund_insufficient', 'This service’s balance with the provider was too low.'),
    PAYEE_NOT_ALLOWED_TO_RECEIVE: failure(
      'authorization_failed',
      'The mobile money account cannot receive this payment.',
    ),
    PAYEE_NOT_FOUND: noAccount,
    PAYEE_LIMIT_REACHED: limitReached,
    ACCOUNTHOLDER_NOT_ACTIVE: blocked,
    PAYER_NOT_FOUND: notNow,
    PAYER_LIMIT_REACHED: notNow,
    SENDER_ACCOUNT_NOT_ACTIVE: notNow,
    NOT_ALLOWED: failure('rejected', 'The provider does not allow this payout.'),
  },
  later: {
    EXPIRED: failure('authorization_failed', 'The recipient did not collect the money in time.'),
    TRANSACTION_CANCELED: failure('cancelled', 'The provider cancelled the payout.'),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
}

/** MTN's reasons for failed disbursements, in which our own account is the payer. */
export const disbursementFailures = createFailures(ofDisbursements)

/** MTN's reasons for failed refunds, which are disbursements to the original payer. MTN looks up who that is. */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofDisbursements.atSubmit,
    RESOURCE_NOT_FOUND: failure('rejected', 'The provider cannot find the payment.'),
    NOT_ALLOWED: failure('rejected', 'The provider does not allow this refund.'),
  },
  later: {
    ...ofDisbursements.later,
    TRANSACTION_CANCELED: failure('cancelled', 'The provider cancelled the refund.'),
  },
  other: failure('unknown', 'The provider reported that the refund failed.'),
})

/**
 * Reasons that are returned if MTN does not know the outcome. The money may have been moved, so these are not
 * failures.
 */
export const inconclusive: readonly unknown[] = ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE']
