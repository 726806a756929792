import { createFailures, failure } from '../../failures.ts'

/** About the connection and not about anybody's account: the same whichever way money goes. */
const ofTheConnection = {
  NOT_ALLOWED_TARGET_ENVIRONMENT: failure(
    'rejected',
    'The connection to the provider is not set up for this market.',
  ),
  INVALID_CALLBACK_URL_HOST: failure(
    'rejected',
    'The connection to the provider is not set up for our address.',
  ),
  INVALID_CURRENCY: failure('rejected', 'The provider does not take this currency.'),
}

const noAccount = failure('provider_account_missing', 'This number has no mobile money account.')
const limitReached = failure(
  'provider_account_quota_exhausted',
  'The mobile money account has reached its limit.',
)
const blocked = failure('provider_account_blocked', 'The mobile money account is blocked.')

/** MTN's reasons, of collections. */
export const collectionFailures = createFailures({
  atSubmit: {
    ...ofTheConnection,
    NOT_ENOUGH_FUNDS: failure('fund_insufficient', 'There was not enough money in the mobile money account.'),
    PAYER_NOT_FOUND: noAccount,
    PAYER_LIMIT_REACHED: limitReached,
    SENDER_ACCOUNT_NOT_ACTIVE: blocked,
    // These two are about our own account at MTN, not about the payer's.
    PAYEE_NOT_ALLOWED_TO_RECEIVE: failure(
      'rejected',
      'The provider does not let this service take payments now.',
    ),
    NOT_ALLOWED: failure('rejected', 'The provider does not allow this payment.'),
  },
  later: {
    APPROVAL_REJECTED: failure('authorization_failed', 'The payer declined the payment.'),
    PAYMENT_NOT_APPROVED: failure('authorization_failed', 'The payer did not approve the payment.'),
    EXPIRED: failure('authorization_failed', 'The payer did not answer in time.'),
    // MTN's word for a prompt that nobody confirmed with a PIN in time.
    COULD_NOT_PERFORM_TRANSACTION: failure('authorization_failed', 'The payment was not confirmed in time.'),
    TRANSACTION_CANCELED: failure('cancelled', 'The payment was cancelled.'),
  },
  other: failure('unknown', 'The provider reported that the payment failed.'),
})

const notNow = failure('rejected', 'The provider does not let this service pay out now.')

const ofDisbursements = {
  atSubmit: {
    ...ofTheConnection,
    NOT_ENOUGH_FUNDS: failure('fund_insufficient', 'This service did not have enough money at the provider.'),
    PAYEE_NOT_ALLOWED_TO_RECEIVE: failure(
      'authorization_failed',
      'The mobile money account does not take this money.',
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
    EXPIRED: failure('authorization_failed', 'The money was not taken in time.'),
    TRANSACTION_CANCELED: failure('cancelled', 'The provider cancelled the payout.'),
  },
  other: failure('unknown', 'The provider reported that the payout failed.'),
}

/** MTN's reasons, of disbursements: now the payer is our own account at MTN. */
export const disbursementFailures = createFailures(ofDisbursements)

/** MTN's reasons, of refunds: a disbursement whose payee MTN finds itself. */
export const refundFailures = createFailures({
  atSubmit: {
    ...ofDisbursements.atSubmit,
    RESOURCE_NOT_FOUND: failure('rejected', 'The provider does not know the payment.'),
    NOT_ALLOWED: failure('rejected', 'The provider does not allow this refund.'),
  },
  later: {
    ...ofDisbursements.later,
    TRANSACTION_CANCELED: failure('cancelled', 'The provider cancelled the refund.'),
  },
  other: failure('unknown', 'The provider reported that the refund failed.'),
})

/** Reasons by which MTN says that it does not know itself: the money may have left, so it is not called failed. */
export const inconclusive: readonly unknown[] = ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE']
