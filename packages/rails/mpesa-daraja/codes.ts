import { createFailures, failure } from '@pesewa/connector-kit'

export const wrongRequest = failure('rejected', 'The provider rejected the request.')
export const notSetUp = failure(
  'rejected',
  'The connection to the provider is not set up for this transaction.',
)
export const noAccount = failure('provider_account_missing', 'This number has no M-Pesa account.')
const limitReached = failure('provider_account_quota_exhausted', 'The M-Pesa account has reached its limit.')
const noAnswer = failure('authorization_failed', 'The payer did not respond in time.')
const amountRefused = failure('rejected', 'The provider does not accept this amount.')

export const withCents = failure('rejected', 'M-Pesa accepts only whole shillings.')
export const outOfRange = failure('rejected', 'M-Pesa payouts must be between 10 and 250,000 shillings.')
export const unnamedOriginal = failure(
  'rejected',
  'The payment cannot be refunded because M-Pesa reported no transaction ID.',
)

/** Codes with which the gateway refuses a request. Nothing has been started. */
export const gatewayFailures = createFailures({
  atSubmit: {
    '400.002.02': wrongRequest,
    '404.001.01': notSetUp,
    '405.001': notSetUp,
    '403.002.1001': notSetUp,
  },
  later: {},
  other: wrongRequest,
})

/**
 * Values of `ResultCode` for a payment. Any other code is not treated as an outcome, because Safaricom does not
 * document it.
 */
export const collectionFailures = createFailures({
  atSubmit: {
    '1': failure('fund_insufficient', 'There was not enough money in the M-Pesa account.'),
    '2': amountRefused,
    '3': amountRefused,
    '4': limitReached,
    '8': failure('rejected', 'This service’s account with the provider is full.'),
    '17': failure('rejected', 'The same amount was paid less than two minutes ago.'),
    '1019': noAnswer,
    '1025': failure('rejected', 'The provider could not send the payment request.'),
    '1032': failure('authorization_failed', 'The payer declined the payment.'),
    '1037': noAnswer,
    '2001': failure('authorization_failed', 'The payer entered the wrong PIN.'),
    '2028': notSetUp,
    SFC_IC0003: notSetUp,
    '8006': failure('provider_account_blocked', 'The M-Pesa account is blocked.'),
  },
  later: {},
  other: wrongRequest,
})

const notNow = failure('rejected', 'The provider is not accepting payouts from this service.')
const ofOurAccount = Object.fromEntries(
  ['11', '18', '20', '21', '22', '2001', '2006', '2028', '8006'].map((code) => [code, notNow]),
)
const noMoney = failure('fund_insufficient', 'This service’s balance with the provider was too low.')

/** Values of `ResultCode` for a payout. All other codes are inconclusive, including `15` and `26`. */
export const disbursementFailures = createFailures({
  atSubmit: {
    ...ofOurAccount,
    '1': noMoney,
    '2': amountRefused,
    '3': amountRefused,
    '4': limitReached,
    '8': limitReached,
    '2040': noAccount,
    SFC_IC0003: noAccount,
  },
  later: {},
  other: wrongRequest,
})

/**
 * Values of `ResultCode` for a reversal. `R000001` (already reversed) is inconclusive, because another request
 * may have reversed the payment.
 */
export const reversalFailures = createFailures({
  atSubmit: {
    '1': noMoney,
    '11': notNow,
    '21': notNow,
    '2001': notNow,
    '2006': notNow,
    '2028': notNow,
    '8006': notNow,
    R000002: failure('rejected', 'The provider cannot find the payment.'),
  },
  later: {},
  other: wrongRequest,
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
  later: {},
  other: endedWithout,
})
