import { createFailures, failure, failures } from '@pesewa/connector-kit'

export const noAccount = failure('provider_account_missing', 'This number has no M-Pesa account.')
const limitReached = failure('provider_account_quota_exhausted', 'The M-Pesa account has reached its limit.')

export const withCents = failure('rejected', 'M-Pesa accepts only whole shillings.')
export const outOfRange = failure('rejected', 'M-Pesa payouts must be between 10 and 250,000 shillings.')
export const unnamedOriginal = failure(
  'rejected',
  'The payment cannot be refunded because M-Pesa reported no transaction ID.',
)

/** Codes with which the gateway refuses a request. Nothing has been started. */
export const gatewayFailures = createFailures({
  atSubmit: {
    '400.002.02': failures.requestRejected,
    '404.001.01': failures.notSetUp,
    '405.001': failures.notSetUp,
    '403.002.1001': failures.notSetUp,
  },
  other: failures.requestRejected,
})

/**
 * Values of `ResultCode` for a payment. Any other code is not treated as an outcome, because Safaricom does not
 * document it.
 */
export const collectionFailures = createFailures({
  atSubmit: {
    '1': failure('fund_insufficient', 'There was not enough money in the M-Pesa account.'),
    '2': failures.amountRefused,
    '3': failures.amountRefused,
    '4': limitReached,
    '8': failure('rejected', 'This service’s account with the provider is full.'),
    '17': failure('rejected', 'The same amount was paid less than two minutes ago.'),
    '1019': failures.noResponse,
    '1025': failure('rejected', 'The provider could not send the payment request.'),
    '1032': failures.payerDeclined,
    '1037': failures.noResponse,
    '2001': failures.wrongPin,
    '2028': failures.notSetUp,
    SFC_IC0003: failures.notSetUp,
    '8006': failure('provider_account_blocked', 'The M-Pesa account is blocked.'),
  },
  other: failures.requestRejected,
})

const ofOurAccount = Object.fromEntries(
  ['11', '18', '20', '21', '22', '2001', '2006', '2028', '8006'].map((code) => [
    code,
    failures.payoutsRefused,
  ]),
)

/** Values of `ResultCode` for a payout. All other codes are inconclusive, including `15` and `26`. */
export const disbursementFailures = createFailures({
  atSubmit: {
    ...ofOurAccount,
    '1': failures.ourBalanceTooLow,
    '2': failures.amountRefused,
    '3': failures.amountRefused,
    '4': limitReached,
    '8': limitReached,
    '2040': noAccount,
    SFC_IC0003: noAccount,
  },
  other: failures.requestRejected,
})

/**
 * Values of `ResultCode` for a reversal. `R000001` (already reversed) is inconclusive, because another request
 * may have reversed the payment.
 */
export const reversalFailures = createFailures({
  atSubmit: {
    '1': failures.ourBalanceTooLow,
    '11': failures.payoutsRefused,
    '21': failures.payoutsRefused,
    '2001': failures.payoutsRefused,
    '2006': failures.payoutsRefused,
    '2028': failures.payoutsRefused,
    '8006': failures.payoutsRefused,
    R000002: failures.originalMissing,
  },
  other: failures.requestRejected,
})

const endedWithout = failure('unknown', 'The provider reported that no money moved.')

/**
 * Values of `TransactionStatus` for a queried transaction, in lower case. `reversed` is not listed, because an
 * operator has to decide what it means.
 */
export const statusFailures = createFailures({
  atSubmit: {
    failed: endedWithout,
    expired: endedWithout,
    declined: endedWithout,
    rejected: endedWithout,
    cancelled: failure('cancelled', 'The provider cancelled the transaction.'),
  },
  other: endedWithout,
})
