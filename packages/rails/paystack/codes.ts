import { createFailures, failure, failures } from '@pesewa/connector-kit'

const ofTheAccount = {
  'insufficient funds': failures.accountBalanceTooLow,
  'account is not active': failures.accountBlocked,
  'invalid account': failures.accountMissing,
  'limit exceeded': failures.accountLimitReached,
}

/** Reasons that a charge failed, by `gateway_response` in lower case. */
export const chargeFailures = createFailures({
  atSubmit: {},
  later: {
    ...ofTheAccount,
    declined: failures.paymentDeclined,
    'transaction declined': failures.paymentDeclined,
    'incorrect otp': failure('authorization_failed', 'The payer entered the wrong code.'),
    'transaction timed out': failures.noResponse,
    'not confirmed in time': failures.notConfirmed,
    'cancelled by customer': failures.payerCancelled,
  },
  other: failures.paymentFailed,
})

/**
 * Reasons that a transfer failed. Reasons in the response to the submit are identified by their error code, and
 * later reasons by `gateway_response` in lower case.
 */
export const transferFailures = createFailures({
  atSubmit: {
    insufficient_balance: failures.ourBalanceTooLow,
  },
  later: {
    ...ofTheAccount,
    'insufficient funds': failures.ourBalanceTooLow,
    declined: failures.accountCannotReceive,
    'transaction timed out': failures.notCollected,
  },
  other: failures.payoutFailed,
})

export const currencyRefused = failure(
  'rejected',
  'The connection to the provider does not support this currency.',
)

/** Normalizes a text so that it can be looked up in the tables above. */
export const wordOf = (text: unknown) => (typeof text === 'string' ? text.trim().toLowerCase() : undefined)
