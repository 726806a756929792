import { createFailures, failure } from '../../failures.ts'

export const wrongRequest = failure('rejected', 'The provider did not accept the request.')
export const notSetUp = failure('rejected', 'The connection to the provider is not set up for this.')
export const noAccount = failure('provider_account_missing', 'This number has no M-Pesa account.')
const limitReached = failure('provider_account_quota_exhausted', 'The M-Pesa account has reached its limit.')
const noAnswer = failure('authorization_failed', 'The payer did not answer in time.')
const amountRefused = failure('rejected', 'The provider does not move this amount.')

export const withCents = failure('rejected', 'M-Pesa moves whole shillings only.')
export const outOfRange = failure('rejected', 'M-Pesa pays out 10 to 250,000 shillings at a time.')
export const unnamedOriginal = failure('rejected', 'M-Pesa did not name the transaction of this payment.')

/** By the code of the gateway's own refusals, before anything is begun. */
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

/** ResultCode of a payment. What is not among these is no outcome: Safaricom documents no others. */
export const collectionFailures = createFailures({
  atSubmit: {
    '1': failure('fund_insufficient', 'There was not enough money in the M-Pesa account.'),
    '2': amountRefused,
    '3': amountRefused,
    '4': limitReached,
    '8': failure('rejected', 'This service’s account at the provider is full.'),
    '17': failure('rejected', 'The same amount was paid less than two minutes before.'),
    '1019': noAnswer,
    '1025': failure('rejected', 'The provider could not ask the payer.'),
    '1032': failure('authorization_failed', 'The payer declined the payment.'),
    '1037': noAnswer,
    '2001': failure('authorization_failed', 'The payer’s PIN was wrong.'),
    '2028': notSetUp,
    SFC_IC0003: notSetUp,
    '8006': failure('provider_account_blocked', 'The M-Pesa account is blocked.'),
  },
  later: {},
  other: wrongRequest,
})

const notNow = failure('rejected', 'The provider does not let this service pay out now.')
const ofOurAccount = Object.fromEntries(
  ['11', '18', '20', '21', '22', '2001', '2006', '2028', '8006'].map((code) => [code, notNow]),
)
const noMoney = failure('fund_insufficient', 'This service did not have enough money at the provider.')

/** ResultCode of a payout. Whatever is not among these, `15` and `26` too, says nothing for certain. */
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

/** ResultCode of a reversal. `R000001`, reversed before, says nothing of this one. */
export const reversalFailures = createFailures({
  atSubmit: {
    '1': noMoney,
    '11': notNow,
    '21': notNow,
    '2001': notNow,
    '2006': notNow,
    '2028': notNow,
    '8006': notNow,
    R000002: failure('rejected', 'The provider does not know the payment.'),
  },
  later: {},
  other: wrongRequest,
})

const endedWithout = failure('unknown', 'The provider reported that no money moved.')

/** TransactionStatus, in small letters, of what was asked about; `reversed` is left to a person. */
export const statusFailures = createFailures({
  atSubmit: {
    failed: endedWithout,
    expired: endedWithout,
    declined: endedWithout,
    rejected: endedWithout,
    cancelled: failure('cancelled', 'The provider cancelled it.'),
  },
  later: {},
  other: endedWithout,
})
