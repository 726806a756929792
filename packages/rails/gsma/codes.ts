import {
  createFailures,
  failure,
  type OutboundAnswer,
  parseFields,
  type RailKind,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'

const notValid = failure('rejected', 'The provider rejected the request.')
const notTaken = failure('rejected', 'The provider does not accept this amount.')
const limitReached = failure(
  'provider_account_quota_exhausted',
  'The mobile money account has reached its limit.',
)

/** Codes that have the same meaning for collections, refunds and disbursements. */
const ofTheRequest = {
  lessThanTransactionMinValue: notTaken,
  greaterThanTransactionMaxValue: notTaken,
  underPaymentNotAllowed: notTaken,
  overPaymentNotAllowed: notTaken,
  samePartiesError: failure('rejected', 'Payer and payee are the same account.'),
  transactionTypeError: notValid,
  rateLimitError: failure('rejected', 'The provider received too many requests.'),
  formatError: notValid,
  lengthError: notValid,
  negativeValue: notValid,
  currencyNotSupported: failure('rejected', 'The provider does not accept this currency.'),
  mandatoryValueNotSupplied: notValid,
  clientAuthorisationError: failure(
    'rejected',
    'The connection to the provider is not set up for this transaction.',
  ),
  requestDeclined: failure('authorization_failed', 'The payment was not approved.'),
  requestingPartyAuthorisationError: failure('authorization_failed', 'The payment was not approved.'),
  genericError: failure('unknown', 'The provider reported a failure.'),
  dailyVolumeLimitExceeded: limitReached,
  dailyValueLimitExceeded: limitReached,
  weeklyVolumeLimitExceeded: limitReached,
  weeklyValueLimitExceeded: limitReached,
  monthlyVolumeLimitExceeded: limitReached,
  monthlyValueLimitExceeded: limitReached,
  accountMaxTotalValueExceeded: limitReached,
  accountMaxTotalVolumeExceeded: limitReached,
  maxBalanceExceeded: limitReached,
}

const ofTheAccount = {
  identifierError: failure('provider_account_missing', 'This number has no mobile money account.'),
  incorrectState: failure('provider_account_blocked', 'The mobile money account is blocked.'),
}

const noMoneyOfOurs = failure('fund_insufficient', 'This service’s balance with the provider was too low.')
const noMoneyOfPayer = failure('fund_insufficient', 'There was not enough money in the mobile money account.')

const other = failure('unknown', 'The provider reported a failure.')

/** The failures that the standard's error codes stand for, by kind of request. */
export const failuresOf = {
  collect: createFailures({
    atSubmit: { ...ofTheRequest, ...ofTheAccount, insufficientFunds: noMoneyOfPayer },
    later: {},
    other,
  }),
  disburse: createFailures({
    atSubmit: { ...ofTheRequest, ...ofTheAccount, insufficientFunds: noMoneyOfOurs },
    later: {},
    other,
  }),
  refund: createFailures({
    atSubmit: {
      ...ofTheRequest,
      insufficientFunds: noMoneyOfOurs,
      identifierError: failure('rejected', 'The provider cannot find the payment.'),
      incorrectState: failure('rejected', 'The provider can no longer refund this payment.'),
    },
    later: {},
    other,
  }),
} satisfies Record<RailKind, unknown>

export type GsmaError = { category: string; code: string }

/**
 * Normalizes an error category or code: the standard's guidelines use `BusinessRule`, and its schema uses
 * `businessRule`.
 */
const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z ]{1,64}$/.test(value)
    ? value.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replace(/ +/g, '')
    : undefined

export function errorOf({ errorCategory, errorCode }: Fields): GsmaError | undefined {
  const [category, code] = [wordOf(errorCategory), wordOf(errorCode)]
  return category === undefined || code === undefined ? undefined : { category, code }
}

/**
 * The error categories that the standard allows for each status. Any other combination does not follow the
 * standard and proves nothing.
 */
const categories = new Map([
  [400, ['businessRule', 'validation']],
  [401, ['authorisation', 'authorization']],
  [404, ['identification']],
])

/** Returns the error if the response proves that nothing was done; otherwise `undefined`. */
export function refusingError({ status, body }: OutboundAnswer): GsmaError | undefined {
  const error = errorOf(fieldsOf(parseFields(body)))
  return error && categories.get(status)?.includes(error.category) ? error : undefined
}

/**
 * Returns whether an error means that the wallet failed internally, in which case it may not know whether the
 * money was moved.
 */
export const isInconclusive = ({ category }: GsmaError) =>
  category === 'internal' || category === 'serviceUnavailable'

/** Returns the status and error of a response, for the log. Nothing else from a rail is logged. */
export function shown({ status, body }: OutboundAnswer): string {
  const { category, code } = errorOf(fieldsOf(parseFields(body))) ?? {}
  return [status, category, code].filter(Boolean).join(' ')
}
