import type { FailureCode } from '../connector.ts'

export type Failure = { code: FailureCode; message: string }

/**
 * MTN's reasons in our words: the code a program reads and the sentence people read. What the rail itself writes is
 * never passed on: it may hold anything.
 */
const failures: Readonly<Record<string, Failure>> = {
  NOT_ENOUGH_FUNDS: failure('fund_insufficient', 'There was not enough money in the mobile money account.'),
  APPROVAL_REJECTED: failure('authorization_failed', 'The payer declined the payment.'),
  PAYMENT_NOT_APPROVED: failure('authorization_failed', 'The payer did not approve the payment.'),
  EXPIRED: failure('authorization_failed', 'The payer did not answer in time.'),
  // MTN's word for a prompt that nobody confirmed with a PIN in time.
  COULD_NOT_PERFORM_TRANSACTION: failure('authorization_failed', 'The payment was not confirmed in time.'),
  PAYER_NOT_FOUND: failure('provider_account_missing', 'This number has no mobile money account.'),
  PAYER_LIMIT_REACHED: failure(
    'provider_account_quota_exhausted',
    'The mobile money account has reached its limit.',
  ),
  SENDER_ACCOUNT_NOT_ACTIVE: failure('provider_account_blocked', 'The mobile money account is blocked.'),
  TRANSACTION_CANCELED: failure('cancelled', 'The payment was cancelled.'),
  // The rest is about our own account at MTN, not about the payer's.
  PAYEE_NOT_ALLOWED_TO_RECEIVE: failure(
    'rejected',
    'The provider does not let this service take payments now.',
  ),
  NOT_ALLOWED: failure('rejected', 'The provider does not allow this payment.'),
  NOT_ALLOWED_TARGET_ENVIRONMENT: failure(
    'rejected',
    'The connection to the provider is not set up for its market.',
  ),
  INVALID_CALLBACK_URL_HOST: failure(
    'rejected',
    'The connection to the provider is not set up for our address.',
  ),
  INVALID_CURRENCY: failure('rejected', 'The provider does not take this currency.'),
}

const anyFailure = failure('unknown', 'The provider reported that the payment failed.')

/** What a payment that MTN calls FAILED failed of; `unknown` is the code of a reason that says nothing. */
export function failureOf(reason: string | undefined): Failure {
  return (reason !== undefined && Object.hasOwn(failures, reason) && failures[reason]) || anyFailure
}

/** The reasons that MTN gives before it asks the payer; the others belong to the end of a payment. */
const givenAtSubmit = new Set([
  'NOT_ENOUGH_FUNDS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'SENDER_ACCOUNT_NOT_ACTIVE',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
])

/** What a submit was refused for, or `undefined` when the reason does not prove that nothing was begun. */
export function refusalOf(reason: string | undefined): Failure | undefined {
  return reason !== undefined && givenAtSubmit.has(reason) ? failures[reason] : undefined
}

function failure(code: FailureCode, message: string): Failure {
  return { code, message }
}
